import type { Sample } from "./source-sample.ts";

/** Languages whose blocks stand in braces and that need types in front, and the rest. */
export const FURTHER_SAMPLES: Readonly<Record<string, Sample>> = {
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
    defined: [
      "Router",
      "LIMIT",
      "OTHER",
      "Router.routes",
      "Router.match",
      "Router.stop",
      "Kind.PLAIN",
      "Kind.PAIR",
      "width",
      "Point",
      "Marker",
      "text",
    ],
    undefined: ["commented", "List", "Base", "local", "call", "quoted", "put", "IOException"],
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
    defined: [
      "LIMIT",
      "SQUARE",
      "node",
      "node_t",
      "value",
      "handler_fn",
      "shape",
      "width",
      "RED",
      "GREEN",
      "names",
      "counter",
      "start",
      "prototype",
    ],
    undefined: ["commented", "quoted", "local", "call", "cb", "stdio", "if"],
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
    defined: [
      "Router",
      "match",
      "acme::net::Router::match",
      "routes_",
      "kLimit",
      "Kind::Pair",
      "Alias",
      "Server::listen",
    ],
    undefined: ["local", "call", "quoted", "Base", "port", "Server::match"],
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
    defined: [
      "Router",
      "_routes",
      "Max",
      "Router.Limit",
      "Router.Name",
      "Changed",
      "Router.MatchAsync",
      "Handler",
      "Kind.Pair",
      "Point",
      "IRouter.Stop",
    ],
    undefined: ["Commented", "Quoted", "local", "Call", "Base", "get", "retries"],
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
    defined: [
      "Acme",
      "LIMIT",
      "Router",
      "routes",
      "name",
      "Acme::Router#match?",
      "Router.create",
      "find",
      "Server",
    ],
    undefined: ["commented", "local", "quoted", "heredoc", "regexed", "call", "Base"],
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
    defined: [
      "LIMIT",
      "GLOBAL_LIMIT",
      "Router",
      "MAX",
      "MIN",
      "routes",
      "Router::match",
      "stop",
      "Handler",
      "Kind::Plain",
      "start",
      "setting",
    ],
    undefined: ["outside", "commented", "local", "quoted", "heredoc", "call", "Base"],
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
    defined: [
      "LIMIT",
      "Handler",
      "Router",
      "Router.name",
      "depth",
      "Router.routes",
      "MAX",
      "Router.match",
      "size",
      "Shape",
      "Kind.PLAIN",
      "Kind.PAIR",
      "Registry.open",
      "String.shout",
      "text",
    ],
    undefined: ["commented", "local", "quoted", "call", "Base", "uppercase"],
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
    defined: [
      "limit",
      "Router",
      "Router.routes",
      "shared",
      "Router.match",
      "size",
      "Point",
      "Kind.plain",
      "Kind.pair",
      "Kind.named",
      "Matching.stop",
      "Router.extended",
      "Handler",
    ],
    undefined: ["commented", "local", "quoted", "call", "Base", "super"],
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
    defined: ["LIMIT", "MAX", "NAME", "start", "stop-all", "ll"],
    undefined: ["commented", "quoted", "heredoc", "IN_HEREDOC", "hidden", "inner", "echo"],
    breaks: ["start", "start() {", "begin() {"],
  },
};
