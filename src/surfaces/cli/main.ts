import { EXIT } from "./arguments/command.ts";
import { runCli } from "./run-cli.ts";

// A closed pipe (`heed list | head -1`) is the reader's decision and no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    const what = `heed: the answer cannot be written (${error.code ?? error.message}); what was asked for is done\n`;
    if (stream === process.stdout) process.stderr.write(what);
    process.exit(EXIT.outside);
  });
}

async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2));
}
void main();
