import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** One question as a model would have got it. */
export interface PutQuestion {
  id: string;
  system: string;
  user: string;
}

/** Where questions are written, one JSON each, and answers read: neither is needed. */
export interface AnswerFolders {
  writeRequests: string | undefined;
  answers: string | undefined;
}

/**
 * An endpoint on the loopback device that speaks chat completions, in the place of a model: it writes down each question
 * that the product puts, and gives the answer that somebody left in a file, `{"text": "…"}` or the answer itself; without
 * one a given text.
 */
export class AnsweringServer {
  /** The question that came last; undefined: none since it was taken. */
  #put: PutQuestion | undefined;
  /** By what the next question is called. */
  id = "";
  readonly #server: Server;

  private constructor(folders: AnswerFolders, otherwise: string) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { messages } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
          messages: { role: string; content: string }[];
        };
        const textOf = (role: string): string => messages.find((one) => one.role === role)?.content ?? "";
        this.#put = { id: this.id, system: textOf("system"), user: textOf("user") };
        keep(folders, this.#put);
        const content = answerTo(folders, this.id) ?? otherwise;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
      });
    });
  }

  static async listen(folders: AnswerFolders, otherwise: string): Promise<AnsweringServer> {
    const made = new AnsweringServer(folders, otherwise);
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The question that was put since this was asked last. */
  take(): PutQuestion | undefined {
    const put = this.#put;
    this.#put = undefined;
    return put;
  }

  close(): void {
    this.#server.close().closeAllConnections();
  }
}

/** A name for a file; two ids that differ in other signs alone would share one. */
export function fileNameOf(id: string): string {
  return id.replace(/[^\w.-]+/g, "_");
}

function keep({ writeRequests }: AnswerFolders, question: PutQuestion): void {
  if (writeRequests === undefined) return;
  mkdirSync(writeRequests, { recursive: true });
  writeFileSync(
    join(writeRequests, `${fileNameOf(question.id)}.json`),
    `${JSON.stringify(question, null, 2)}\n`,
  );
}

/** The text of an answer; undefined where none is given. */
export function answerTo({ answers }: AnswerFolders, id: string): string | undefined {
  const file = answers === undefined ? "" : join(answers, `${fileNameOf(id)}.json`);
  if (file === "" || !existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  const given = JSON.parse(text) as { text?: unknown };
  return typeof given.text === "string" ? given.text : text;
}
