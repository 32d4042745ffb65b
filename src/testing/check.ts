/** One named behaviour a plug-in must show: `run` resolves when it does and rejects, saying what went wrong, when it does not. */
export interface Check {
  readonly name: string;
  run(): Promise<void>;
}
