/** A source text in one language with what it defines. */
interface Sample {
  file: string;
  source: string;
  /** The symbols that it defines. */
  defined: string;
  /** Mentioned, called or commented out, never defined. */
  undefined: string;
  /** A piece of the source and what replaces it, so that the symbol is no longer defined. */
  breaks: readonly [symbol: string, from: string, to: string];
}

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
    defined:
      "LIMIT OTHER first renamed start nested Router Router.match Router.size Router.#secret Router.count handler stop Options.depth Options.run Mode Colour.Green config.retries config.load config.save main",
    undefined: "helper commented blocked quoted templated Inner regexed local inner other Base Options.match",
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
    defined: "exported other Foo Foo.bar Foo.create Shape.area Shape.of legacy open view after chained",
    undefined: "x y hidden jsx map width if list",
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
    defined:
      "LIMIT a b conditional fetch nested Router Router.match Router.routes Router.Inner.depth with_paren",
    undefined: "in_docstring commented imported local Fake quoted keyword retries other Router.fetch",
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
    defined: "Limit first second third ID Pair.Left Router Router.Routes Handler.Serve Router.Match main",
    undefined: "commented fmt tagged quoted local Println h",
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
    defined: "LIMIT COUNT Router Router.routes Kind.Pair width Handler Router::serve inner::deep shout Alias",
    undefined: "commented fmt local quoted c Router::deep",
    breaks: ["Router::serve", "Handler for Router", "Handler for Other"],
  },
  java: {
    file: "A.java",
    source: `
package a.b;
import java.util.List;
// void commented() {}
@Deprecated(since = "x")
public final class Router<T extends Comparable<T>> extends Base implements A, B {
  private static final long LIMIT = 250L, OTHER = 6;
  @Inject({"a"}) private Map<String, List<T>> routes = new HashMap<>() {{ put("a", null); }};
  public Router(String name) { super(name); }
  public <R> List<R> match(String path, int... ids) throws IOException { int local = 1; return call(path); }
  abstract void stop();
  enum Kind { PLAIN, PAIR(2) { int size() { return 2; } }; private int width; }
  record Point(int x, int y) {}
  @interface Marker { String value() default ""; }
  String text = """
    void quoted() {}
    """;
}
`,
    defined:
      "Router LIMIT OTHER Router.routes Router.match Router.stop Kind.PLAIN Kind.PAIR width Point Marker text",
    undefined: "commented List Base local call quoted put IOException",
    breaks: ["Router.match", " match(String", " find(String"],
  },
  c: {
    file: "a.c",
    source: `
#include <stdio.h>
#define LIMIT 5
#define SQUARE(x) \\
  ((x) * (x))
// int commented(void) { return 0; }
typedef struct node { int value; struct node *next; } node_t;
typedef int (*handler_fn)(const char *, int);
struct shape { unsigned width : 4, height; };
enum colour { RED = 1, GREEN };
static const char *names[] = { "int quoted(void) {}" };
extern int counter;
static inline int start(const char *path, int (*cb)(int))
{
  int local = 1;
  if (local) { call(local); }
  return 0;
}
int prototype(void);
`,
    defined: "LIMIT SQUARE node node_t value handler_fn shape width RED GREEN names counter start prototype",
    undefined: "commented quoted local call cb stdio if",
    breaks: ["start", "int start(", "int begin("],
  },
  "c++": {
    file: "a.cpp",
    source: `
namespace acme::net {
template <typename T, typename = std::enable_if_t<(sizeof(T) > 1)>>
class Router final : public Base<T> {
 public:
  explicit Router(int limit) : limit_{limit}, name_("x") {}
  ~Router() override = default;
  auto match(std::string_view path) const noexcept -> bool { auto local = path; return call(local); }
  bool operator==(const Router& other) const;
 private:
  std::map<std::string, std::vector<T>> routes_{};
  static constexpr int kLimit = 1'000;
};
enum class Kind : int { Plain, Pair };
using Alias = std::vector<int>;
}
template <class T>
bool acme::net::Server<T>::listen(int port) { return R"(int quoted() {})"; }
`,
    defined: "Router match acme::net::Router::match routes_ kLimit Kind::Pair Alias Server::listen",
    undefined: "local call quoted Base port Server::match",
    breaks: ["Server::listen", "Server<T>::listen", "Server<T>::accept"],
  },
  "c#": {
    file: "A.cs",
    source: `
using System;
namespace Acme.Net {
  // void Commented() {}
  [Serializable]
  public sealed partial class Router<T> : Base, IRouter where T : class {
    private readonly Dictionary<string, List<T>> _routes = new();
    public const int Max = 12;
    public int Limit { get; private set; } = 5;
    public string Name => @"void Quoted() { "" }";
    public event EventHandler Changed;
    public Router(string name) : base(name) { }
    [Obsolete("x")] public async Task<(int a, string b)> MatchAsync<R>(string path, int retries = 3) { var local = 1; return Call(path); }
    public delegate void Handler(object sender);
  }
  public enum Kind { Plain = 1, Pair }
  public record Point(int X, int Y);
  public interface IRouter { void Stop(); }
}
`,
    defined:
      "Router _routes Max Router.Limit Router.Name Changed Router.MatchAsync Handler Kind.Pair Point IRouter.Stop",
    undefined: "Commented Quoted local Call Base get retries",
    breaks: ["Router.MatchAsync", "MatchAsync<R>", "FindAsync<R>"],
  },
  ruby: {
    file: "a.rb",
    source: `
=begin
def commented; end
=end
require "x"
module Acme
  LIMIT = 5
  class Router < Base
    attr_reader :routes, :name
    def self.create(x) = new(x)
    def match?(path)
      local = "def quoted; end"
      text = <<~EOS
        def heredoc; end
      EOS
      if path =~ /def regexed/ then call(path) end
    end
    alias find match?
    def [](key); end
  end
end
class Acme::Server; def listen; end; end
`,
    defined: "Acme LIMIT Router routes name Acme::Router#match? Router.create find Server",
    undefined: "commented local quoted heredoc regexed call Base",
    breaks: ["Router#match?", "def match?", "def find?"],
  },
  php: {
    file: "a.php",
    source: `<p>function outside() {}</p>
<?php
# function commented() {}
namespace Acme\\Net;
const LIMIT = 5;
define('GLOBAL_LIMIT', 6);
#[Attribute]
final class Router extends Base implements A {
  public const MAX = 1, MIN = 0;
  private ?array $routes = [];
  public function match(string $path, int $n = 3): ?Handler { $local = "function quoted() {}"; return call($path); }
  abstract protected static function stop();
}
interface Handler {}
enum Kind: string { case Plain = 'a'; }
function &start($x) { return <<<EOT
function heredoc() {}
EOT; }
$setting = 1;
`,
    defined: "LIMIT GLOBAL_LIMIT Router MAX MIN routes Router::match stop Handler Kind::Plain start setting",
    undefined: "outside commented local quoted heredoc call Base",
    breaks: ["Router::match", "function match(", "function find("],
  },
  kotlin: {
    file: "A.kt",
    source: `
package a.b
// fun commented() {}
const val LIMIT = 5
typealias Handler = (String) -> Unit
@Serializable
data class Router<T : Any>(val name: String, private var depth: Int = 3) : Base(name) {
  val routes: Map<String, List<T>> = mapOf()
  companion object { const val MAX = 1 }
  suspend fun <R> match(path: String): R? { val local = 1; return call(path) }
  val size get() = 1
}
sealed interface Shape
enum class Kind(val id: Int) { PLAIN(1), PAIR(2) }
object Registry { fun open() = Unit }
fun String.shout(): String = uppercase()
val text = """fun quoted() {}"""
`,
    defined:
      "LIMIT Handler Router Router.name depth Router.routes MAX Router.match size Shape Kind.PLAIN Kind.PAIR Registry.open String.shout text",
    undefined: "commented local quoted call Base uppercase",
    breaks: ["Router.match", "> match(", "> find("],
  },
  swift: {
    file: "a.swift",
    source: `
/* func commented() /* nested */ {} */
let limit = 5
public final class Router<T: Equatable>: Base, Matching {
  @Published private(set) var routes: [String: T] = [:]
  static let shared = Router()
  init(name: String) { super.init() }
  override func match(_ path: String) async throws -> Bool { let local = #"func quoted() {}"#; return call(path) }
  var size: Int { routes.count }
}
struct Point { let x, y: Int }
indirect enum Kind { case plain, pair(Int, Int)
  case named(String) }
protocol Matching { func stop() }
extension Router { func extended() {} }
typealias Handler = (String) -> Void
`,
    defined:
      "limit Router Router.routes shared Router.match size Point Kind.plain Kind.pair Kind.named Matching.stop Router.extended Handler",
    undefined: "commented local quoted call Base super",
    breaks: ["Router.match", "func match(", "func find("],
  },
  shell: {
    file: "a.sh",
    source: `#!/usr/bin/env bash
# commented() { :; }
export LIMIT=5
readonly MAX=6
NAME="quoted() { :; }"
start() {
  local hidden=1
  inner=2
  echo "$#"
}
function stop-all { start; }
cat <<EOF
heredoc() { :; }
IN_HEREDOC=1
EOF
alias ll='ls -l'
`,
    defined: "LIMIT MAX NAME start stop-all ll",
    undefined: "commented quoted heredoc IN_HEREDOC hidden inner echo",
    breaks: ["start", "start() {", "begin() {"],
  },
};
