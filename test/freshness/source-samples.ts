import { FURTHER_SAMPLES } from "./further-source-samples.ts";
import type { Sample } from "./source-sample.ts";
export const SAMPLES: Readonly<Record<string, Sample>> = {
  typescript: {
    file: "a.ts",
    source: `
import { helper } from "./helper.ts";
// export function commented(): void {}
/* const blocked = 1; */
const text = "function quoted() {}";
const template = \`\${helper("class Inner {}")} const templated = 1;\`;
const re = /function regexed\\(\\{/;
export const LIMIT = 1_000, OTHER = 6;
export const { first, second: renamed } = helper();
export async function start<T extends { a: string }>(x: T): Promise<void> {
  const local = 1;
  function nested() {}
}
export abstract class Router<T> extends Base implements A, B {
  readonly #secret: string = "x";
  static count = 0;
  handler = async (x: number) => { const inner = x; };
  constructor(private readonly store: Store) { super(); }
  get size(): number { return 0; }
  async *match(path: string): AsyncGenerator<{ id: string }> { yield other(path); }
  abstract stop(): void;
}
export interface Options { depth?: number; run(): void }
export type Mode = "a" | "b";
export enum Colour { Red = 1, Green }
export const config = { retries: 3, nested: { deep: true }, load() { return 1; }, save: () => {} };
export default function main() {}
`,
    defined: [
      "LIMIT",
      "OTHER",
      "first",
      "renamed",
      "start",
      "nested",
      "Router",
      "Router.match",
      "Router.size",
      "Router.#secret",
      "Router.count",
      "handler",
      "stop",
      "Options.depth",
      "Options.run",
      "Mode",
      "Colour.Green",
      "config.retries",
      "config.load",
      "config.save",
      "main",
    ],
    undefined: [
      "helper",
      "commented",
      "blocked",
      "quoted",
      "templated",
      "Inner",
      "regexed",
      "local",
      "inner",
      "other",
      "Base",
      "Options.match",
    ],
    breaks: ["Router.match", "async *match(", "// async *match("],
  },
  javascript: {
    file: "a.cjs",
    source: `
'use strict';
exports.exported = function () {};
module.exports.other = 1;
function Foo() { this.x = 1; }
Foo.prototype.bar = function () { if (x) { y(); } };
Foo.create = () => new Foo();
class Shape { area() { return width / height / 2; } static of() {} }
var legacy = (function () { var hidden = 1; return { open: function () {} }; })();
const view = <div title="const jsx = 1">Don't { count }</div>;
const after = 1
const chained = list
  .map((x) => x)
  .filter(Boolean)
`,
    defined: [
      "exported",
      "other",
      "Foo",
      "Foo.bar",
      "Foo.create",
      "Shape.area",
      "Shape.of",
      "legacy",
      "open",
      "view",
      "after",
      "chained",
    ],
    undefined: ["x", "y", "hidden", "jsx", "map", "width", "if", "list"],
    breaks: ["Foo.bar", "Foo.prototype.bar", "Foo.prototype.baz"],
  },
  python: {
    file: "a.py",
    source: `
"""def in_docstring(): pass"""
# def commented(): pass
from x import imported
LIMIT: float = 2.5
a, b = 1, 2
if True:
    conditional = 1
@decorated(arg=1)
async def fetch(url, *, retries=3):
    local = 1
    def nested(): pass
class Router(Base):
    """class Fake: x = 1"""
    routes: list = []
    def match(self, path): return f"def quoted(): {path}"
    class Inner:
        depth = 2
call(keyword=1)
with_paren = call(
    other=1,
)
`,
    defined: [
      "LIMIT",
      "a",
      "b",
      "conditional",
      "fetch",
      "nested",
      "Router",
      "Router.match",
      "Router.routes",
      "Router.Inner.depth",
      "with_paren",
    ],
    undefined: [
      "in_docstring",
      "commented",
      "imported",
      "local",
      "Fake",
      "quoted",
      "keyword",
      "retries",
      "other",
      "Router.fetch",
    ],
    breaks: ["Router.match", "def match(", "def find("],
  },
  go: {
    file: "a.go",
    source: `
package main

// func commented() {}
import "fmt"

const Limit = 5
var (
	first, second = 1, 2
	third         string
)
type (
	ID   string
	Pair struct{ Left, Right int }
)
type Router[T any] struct {
	Routes map[string]Handler \`json:"tagged"\`
	mu     sync.Mutex
}
type Handler interface {
	Serve(w Writer, r *Request) error
}
func (r *Router[T]) Match(path string) (h Handler, err error) {
	local := "func quoted() {}"
	fmt.Println(local)
	return nil, nil
}
func main() {}
`,
    defined: [
      "Limit",
      "first",
      "second",
      "third",
      "ID",
      "Pair.Left",
      "Router",
      "Router.Routes",
      "Handler.Serve",
      "Router.Match",
      "main",
    ],
    undefined: ["commented", "fmt", "tagged", "quoted", "local", "Println", "h"],
    breaks: ["Router.Match", "func (r *Router[T]) Match", "func (r *Other[T]) Match"],
  },
  rust: {
    file: "a.rs",
    source: `
/* fn commented() { /* nested */ } */
use std::fmt;
pub const LIMIT: usize = 1_024;
static mut COUNT: u32 = 0;
#[derive(Debug, Clone)]
pub struct Router<'a, T: Fn(&'a str) -> bool> { pub routes: Vec<T>, name: &'a str }
pub enum Kind { Plain, Pair(u32, u32), Named { width: u32 } }
pub trait Handler { fn serve(&self) -> Result<(), Error>; }
impl<'a, T: Fn(&'a str) -> bool> Handler for Router<'a, T> {
    fn serve(&self) -> Result<(), Error> { let local = r#"fn quoted() {}"#; let c = '{'; Ok(()) }
}
mod inner { pub(crate) async unsafe fn deep() {} }
macro_rules! shout { ($x:expr) => { $x } }
pub type Alias = u32;
`,
    defined: [
      "LIMIT",
      "COUNT",
      "Router",
      "Router.routes",
      "Kind.Pair",
      "width",
      "Handler",
      "Router::serve",
      "inner::deep",
      "shout",
      "Alias",
    ],
    undefined: ["commented", "fmt", "local", "quoted", "c", "Router::deep"],
    breaks: ["Router::serve", "Handler for Router", "Handler for Other"],
  },
  ...FURTHER_SAMPLES,
};
