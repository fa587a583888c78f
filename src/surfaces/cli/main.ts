import { runCli } from "./run-cli.ts";

// A closed pipe (`heed list | head -1`) is the reader's decision and no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
}

async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2));
}
void main();
