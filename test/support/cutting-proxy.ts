import { connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server on loopback, and loses an answer when it is told to. */
export interface CuttingProxy {
  readonly port: number;
  /** The next answer that contains this text is not passed on; both sides lose the connection. */
  cutNext(text: string): void;
  /** How many answers were lost. */
  cuts(): number;
  stop(): Promise<void>;
}

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  let wanted: string | undefined;
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connectTo(target);
    for (const socket of [client, upstream]) open.add(socket.on("error", () => {}));
    client.pipe(upstream);
    upstream.on("data", (data) => {
      if (wanted === undefined || !data.includes(wanted)) return void client.write(data);
      wanted = undefined;
      cuts++;
      client.destroy();
      upstream.destroy();
    });
    upstream.on("close", () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cutNext: (text) => {
      wanted = text;
    },
    cuts: () => cuts,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const connectTo = (port: number): Socket => connect({ host: "127.0.0.1", port });
