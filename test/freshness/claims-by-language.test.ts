import { afterAll, describe, expect, test } from "vitest";
import { TemporaryRepository } from "./temporary-repository.ts";

/** A file in one language, what is claimed of it, and the edit that breaks each claim. */
interface Sample {
  file: string;
  source: string;
  symbol: [claim: string, from: string, to: string];
  value: [claim: string, from: string, to: string, actual: string];
  literal: [text: string, from: string, to: string];
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  TypeScript: {
    file: "src/a.ts",
    source:
      "export class Pool<T> {\n  private readonly size: number = 8;\n  take(): T | undefined {\n    return undefined;\n  }\n}\nexport const MAX_WAIT = 1_000;\n",
    symbol: ["Pool.take", "take()", "grab()"],
    value: ["MAX_WAIT=1000", "1_000", "2_000", "2_000"],
    literal: ["T | undefined", "T | undefined", "T | null"],
  },
  JavaScript: {
    file: "src/a.cjs",
    source:
      "const LIMIT = 5,\n  NAME = 'x';\nmodule.exports.open = function () {};\nclass Box {\n  static make() {}\n}\n",
    symbol: ["Box.make", "static make", "static build"],
    value: ["LIMIT=5", "= 5", "= 6", "6"],
    literal: ["NAME = 'x'", "'x'", "'y'"],
  },
  Python: {
    file: "a.py",
    source:
      "TIMEOUT: float = 2.5\n\nclass Client:\n    @property\n    def url(self) -> str:\n        return f'{self.host}/v1'\n",
    symbol: ["Client.url", "def url", "def uri"],
    value: ["TIMEOUT=2.5", "2.5", "3.5", "3.5"],
    literal: ["{self.host}/v1", "v1", "v2"],
  },
  Go: {
    file: "a.go",
    source:
      'package a\n\nconst (\n\tMaxRetries = 5\n\tName       = "x"\n)\n\ntype Server struct{ addr string }\n\nfunc (s *Server) Listen() error { return nil }\n',
    symbol: ["Server.Listen", "Listen()", "Serve()"],
    value: ["MaxRetries=5", "= 5", "= 7", "7"],
    literal: ["addr string", "addr string", "host string"],
  },
  Rust: {
    file: "a.rs",
    source:
      "pub const LIMIT: usize = 1_024;\n\npub struct Ring<'a, T> {\n    items: &'a [T],\n}\n\nimpl<'a, T> Ring<'a, T> {\n    pub fn push(&mut self) {\n        println!(\"pushed {}\", 1);\n    }\n}\n",
    symbol: ["Ring::push", "fn push", "fn append"],
    value: ["LIMIT=1024", "1_024", "2_048", "2_048"],
    literal: ["pushed {}", "pushed", "added"],
  },
  Java: {
    file: "A.java",
    source:
      "package a;\n\npublic final class A {\n  @Deprecated static final long WAIT_MS = 250L;\n\n  public <T extends Comparable<T>> T max(T a, T b) {\n    return a;\n  }\n}\n",
    symbol: ["A.max", "T max", "T largest"],
    value: ["WAIT_MS=250", "250L", "500L", "500L"],
    literal: ["T extends Comparable<T>", "Comparable<T>", "Object"],
  },
  C: {
    file: "a.c",
    source:
      "#define BUFFER_SIZE 4096\nstatic int depth = 3;\n\nstruct ring {\n  char *items;\n};\n\nint ring_push(struct ring *r, char c)\n{\n  return c;\n}\n",
    symbol: ["ring_push", "ring_push", "ring_add"],
    value: ["BUFFER_SIZE=4096", "4096", "8192", "8192"],
    literal: ["char *items;", "items", "cells"],
  },
  "C++": {
    file: "a.hpp",
    source:
      "namespace net {\ntemplate <typename T, std::size_t N = 16>\nclass Queue : public Base<T> {\n public:\n  static constexpr int kMax = 32;\n  bool push(T&& item) noexcept;\n};\n}  // namespace net\n",
    symbol: ["net::Queue::push", "bool push", "bool put"],
    value: ["kMax=32", "= 32", "= 64", "64"],
    literal: ["public Base<T>", "public", "private"],
  },
  "C#": {
    file: "A.cs",
    source:
      'namespace Acme.Net;\n\npublic sealed class Gate\n{\n    public const int Limit = 12;\n    public string Name { get; init; } = "x";\n    public async Task<bool> OpenAsync(int port) => port > 0;\n}\n',
    symbol: ["Gate.OpenAsync", "OpenAsync", "EnterAsync"],
    value: ["Limit=12", "= 12", "= 13", "13"],
    literal: ["{ get; init; }", "init", "set"],
  },
  Ruby: {
    file: "a.rb",
    source:
      "module Shop\n  class Cart\n    TAX = 0.19\n    attr_reader :items\n\n    def total!\n      items.sum\n    end\n  end\nend\n",
    symbol: ["Shop::Cart#total!", "total!", "sum!"],
    value: ["TAX=0.19", "0.19", "0.25", "0.25"],
    literal: ["items.sum", "sum", "count"],
  },
  PHP: {
    file: "a.php",
    source:
      "<?php\nnamespace App;\n\nfinal class Mailer\n{\n    private const RETRIES = 4;\n\n    public static function send(string $to): bool\n    {\n        return true;\n    }\n}\n",
    symbol: ["Mailer::send", "function send", "function post"],
    value: ["RETRIES=4", "= 4", "= 5", "5"],
    literal: ["string $to", "$to", "$address"],
  },
  Kotlin: {
    file: "a.kt",
    source:
      "package a\n\nconst val LIMIT = 9\n\nsealed interface Shape {\n    data class Circle(val radius: Double) : Shape\n}\n\nfun Shape.area(): Double = when (this) {\n    is Shape.Circle -> 3.14 * radius\n}\n",
    symbol: ["area", "Shape.area", "Shape.size"],
    value: ["LIMIT=9", "= 9", "= 10", "10"],
    literal: ["3.14 * radius", "3.14", "3.1416"],
  },
  Swift: {
    file: "a.swift",
    source:
      'public struct Session {\n    static let timeout: Double = 30\n\n    @MainActor\n    func resume<T: Decodable>(_ type: T.Type) async throws -> T? {\n        print("resumed")\n        return nil\n    }\n}\n',
    symbol: ["Session.resume", "func resume", "func restart"],
    value: ["timeout=30", "= 30", "= 60", "60"],
    literal: ['print("resumed")', "resumed", "restarted"],
  },
  shell: {
    file: "run.sh",
    source: '#!/bin/bash\nset -eu\nRETRIES=3\nreadonly NAME="x"\n\nbuild() {\n  echo "building $NAME"\n}\n',
    symbol: ["build", "build()", "make_all()"],
    value: ["RETRIES=3", "=3", "=4", "4"],
    literal: ["set -eu", "-eu", "-e"],
  },
};

const repository = new TemporaryRepository({ "README.md": "x\n" });
afterAll(() => repository.remove());

describe.each(Object.entries(SAMPLES))("claims about %s", (_, { file, source, symbol, value, literal }) => {
  /** The finding on a claim before and after an edit, with the line ends of either kind of system. */
  async function around(claim: string, from: string, to: string, lineEnd: string): Promise<string[]> {
    expect(source).toContain(from);
    const found: string[] = [];
    for (const text of [source, source.replaceAll(from, to)]) {
      repository.write(file, text.replaceAll("\n", lineEnd));
      found.push(await repository.check(claim));
    }
    return found;
  }

  test.each(["\n", "\r\n"])("a symbol, with line ends %j", async (lineEnd) => {
    const [name, from, to] = symbol;
    expect(await around(`path:${file}::${name}`, from, to, lineEnd)).toEqual([
      "kept",
      `broken: ${file} no longer defines ${name}`,
    ]);
    expect(await around(`absent:${file}::${name}`, from, to, lineEnd)).toEqual([
      `broken: ${name} in ${file} is there`,
      "kept",
    ]);
  });

  test.each(["\n", "\r\n"])("a value, with line ends %j", async (lineEnd) => {
    const [claim, from, to, actual] = value;
    const [name] = claim.split("=");
    expect(await around(`path:${file}::${claim}`, from, to, lineEnd)).toEqual([
      "kept",
      `broken: ${name} is ${actual} in ${file}`,
    ]);
  });

  test.each(["\n", "\r\n"])("a literal, with line ends %j", async (lineEnd) => {
    const [text, from, to] = literal;
    const [before, after] = await around(`path:${file}::${JSON.stringify(text)}`, from, to, lineEnd);
    expect(before).toBe("kept");
    expect(after).toMatch(/^broken: .* no longer holds /);
  });

  test("a definition in a comment or a string is none", async () => {
    const name = symbol[0].split(/\.|::|#/).at(-1) ?? "";
    const comment = /\.(?:py|rb|sh)$/.test(file) ? "#" : "//";
    const opening = file.endsWith(".php") ? "<?php\n" : "";
    repository.write(file, `${opening}${comment} ${name}\n${comment} function ${name}() {}\n`);
    expect(await repository.check(`path:${file}::${symbol[0]}`)).toMatch(/^broken/);
  });

  test("bytes that are no UTF-8 beside it do not hide it", async () => {
    const comment = /\.(?:py|rb|sh)$/.test(file) ? "#" : "//";
    const text = file.endsWith(".php")
      ? source.replace("<?php\n", `<?php\n${comment} caf\u00e9\n`)
      : `${source}${comment} caf\u00e9\n`;
    repository.writeBytes(file, Buffer.from(text, "latin1"));
    expect(await repository.check(`path:${file}::${symbol[0]}`)).toBe("kept");
    expect(await repository.check(`path:${file}::${value[0]}`)).toBe("kept");
  });
});
