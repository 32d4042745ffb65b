import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const python = lines(
  60,
  (i) => `  File "/app/svc/mod${i}.py", line ${i}, in handle${i}\n    return call_${i}(request)`,
);
const javascript = lines(60, (i) => `    at fn${i} (/app/src/f${i}.js:${i}:3)`);
const native = lines(60, (i) => `#${i}  0x00005555555551${i + 10} in func_${i} (arg=${i}) at src/mod_${i}.c:${i}`);

const TRACES: Readonly<Record<string, readonly [message: string, trace: string]>> = {
  "of Python, whatever its name": [
    "No row was found",
    `Traceback (most recent call last):\n${python}\nsqlalchemy.exc.NoResultFound: No row was found`,
  ],
  "of Python, a class inside another": [
    "User.DoesNotExist: none",
    `Traceback (most recent call last):\n${python}\napp.models.User.DoesNotExist: none\n\nCommand exited`,
  ],
  "of Node, whatever its name": [
    "the set is gone",
    `node:internal/process:288\n\nMongoServerSelection: the set is gone\n${javascript}\n  code: 'X'\n}\n\nNode.js v24`,
  ],
  "of a debugger": [
    "received signal SIGSEGV",
    `[New Thread 1]\n[New Thread 2]\n\nThread 1 "d" received signal SIGSEGV, Segmentation fault.\n0x01 in f () at d.c:3\n3\tint f() {}\n${native}\n(gdb) quit`,
  ],
  "of a sanitizer": [
    "SUMMARY: AddressSanitizer: heap-use-after-free",
    `==1==ERROR: AddressSanitizer: heap-use-after-free on 0x602\nREAD of size 4\n${native}\nSUMMARY: AddressSanitizer: heap-use-after-free a.c:3\n==1==ABORTING`,
  ],
  "of PHP": [
    "Connection refused",
    `PHP Fatal error:  Uncaught PDOException: Connection refused in /app/db.php:12\nStack trace:\n${lines(60, (i) => `#${i} /app/src/F${i}.php(${i}): F${i}->run(Array)`)}\n  thrown in /app/db.php`,
  ],
};

describe("a stack trace", () => {
  it.each(Object.entries(TRACES))("keeps its message: %s", (_, [message, trace]) => {
    for (const maxTokens of [128, 256, 512]) {
      const { text, kind } = reduceObservation(trace, { maxTokens });
      expect(kind).toBe("stack-trace");
      expect(text).toContain(message);
    }
  });

  it("prefers the frames next to the error: the last of Python, the first elsewhere", () => {
    const last = reduceObservation(TRACES["of Python, whatever its name"]![1], { maxTokens: 160 }).text;
    expect(last).toContain("mod59.py");
    const first = reduceObservation(TRACES["of Node, whatever its name"]![1], { maxTokens: 160 }).text;
    expect(first).toContain("fn0 (");
    expect(first).not.toContain("fn40 (");
  });

  it("shows a frame that recurs once, so that other messages have room", () => {
    const trace = `java.lang.IllegalStateException: pool exhausted\n${lines(90, () => "\tat T.deep(T.java:3)")}\nCaused by: java.io.IOException: pipe broken\n\tat T.write(T.java:9)\n${lines(90, () => "\tat T.down(T.java:4)")}`;
    const { text } = reduceObservation(trace, { maxTokens: 128 });
    for (const part of ["pool exhausted", "pipe broken", "T.write(T.java:9)"]) expect(text).toContain(part);
  });

  it("shows one of many messages that differ in numbers alone", () => {
    const threads = lines(40, (i) => `"worker-${i}" waits\n\tat java.base/java.lang.Object.wait(Native Method)\n`);
    const { text } = reduceObservation(`${threads}\n"main" is blocked\n\tat app.Main.run(Main.java:7)`, {
      maxTokens: 160,
    });
    expect(text).toContain('"main" is blocked');
    expect(text).toContain("app.Main.run(Main.java:7)");
  });
});

describe("the report of valgrind", () => {
  const pid = (text: string) => text.replace(/^/gm, "==294== ");
  const errors = [
    "Invalid write of size 1",
    "Conditional jump or move depends on uninitialised value(s)",
    "Invalid free() / delete",
    "Invalid read of size 4",
    "Process terminating with default action of signal 11 (SIGSEGV)",
    "1,900 bytes in 19 blocks are definitely lost in loss record 1 of 1",
  ];
  const report = [
    pid(
      "Memcheck, a memory error detector\nCopyright (C) 2002-2022, and GNU GPL'd, by Julian Seward et al.\nCommand: ./v\n",
    ),
    ...errors.map((error, i) =>
      pid(
        `${error}\n   at 0x10918${i}: leak (v.c:${i})\n   by 0x1091AB: main (v.c:4)\n Address 0x4a4104a is 0 bytes after a block of size 10 alloc'd\n   at 0x48417B4: malloc (in /usr/libexec/vgpreload_memcheck.so)\n   by 0x109170: leak (v.c:3)\n`,
      ),
    ),
    pid(
      "LEAK SUMMARY:\n   definitely lost: 1,900 bytes\nUse --track-origins=yes to see where uninitialised values come from\nERROR SUMMARY: 23 errors from 5 contexts",
    ),
  ].join("\n");

  it("keeps each error before its frames, and the tally before the copyright", () => {
    const { text, kind } = reduceObservation(report, { maxTokens: 256 });
    expect(kind).toBe("stack-trace");
    for (const error of [...errors, "ERROR SUMMARY: 23"]) expect(text).toContain(error);
    expect(text).not.toContain("Copyright");
  });

  it.each([64, 128])("keeps the tally and the exit code before all errors at %i tokens", (maxTokens) => {
    const { text } = reduceObservation(`${report}\nCommand exited with code 139\n`, { maxTokens });
    expect(text).toContain("ERROR SUMMARY: 23 errors");
    expect(text).toContain("Command exited with code 139");
  });

  it("shows where each happened, where there is room", () => {
    const { text } = reduceObservation(report, { maxTokens: 640 });
    for (const [i] of errors.entries()) expect(text).toContain(`leak (v.c:${i})`);
  });
});

describe("errors of Python that led to one another", () => {
  const frames = (count: number) =>
    Array.from({ length: count }, (_, i) => `  File "/app/part${i}.py", line ${i + 1}, in f${i}\n    f${i + 1}()`).join(
      "\n",
    );
  const traced = (error: string) => `Traceback (most recent call last):\n${frames(8)}\n${error}\n`;
  const during = "\nDuring handling of the above exception, another exception occurred:\n\n";

  it.each([64, 128])("show the last, which was not caught, at %i tokens", (maxTokens) => {
    const caught = Array.from({ length: 9 }, (_, i) => `ValueError: the value of key${i} is not what was asked for`);
    const errors = [...caught, "OSError: at last"];
    const source = `${errors.map(traced).join(during)}\nmake: target failed\nmake: no more to do\n`;
    const { text, kind } = reduceObservation(source, { maxTokens });
    expect(kind).toBe("stack-trace");
    expect(text).toContain("OSError: at last");
  });
});
