/** Ends the program where stdout takes no more. A reader that has read enough, such as `head`, is no failure. */
export function endOnFailedOutput(): void {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") console.error(`The output cannot be written: ${message}.`);
    process.exit(code === "EPIPE" ? 0 : 1);
  });
}
