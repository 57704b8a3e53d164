"""C++ programs written for these tests, each with an input and what it prints."""

from __future__ import annotations

# ruff: noqa: E501 - programs keep their lines

HEAD = "#include <bits/stdc++.h>\nusing namespace std;\n"
PROGRAMS: dict[str, tuple[str, str, str]] = {
    "division towards zero": (
        "int main() { int a, b; cin >> a >> b; cout << a / b << ' ' << a % b << ' ' << a / 2.0 << endl; }",
        "-7 2",
        "-3 -1 -3.5",
    ),
    "unsigned wraps": (
        "int main() { unsigned x = 0; x--; vector<int> v; cout << x << ' ' << v.size() - 1 << ' ' << int(v.size()) - 1; }",
        "",
        "4294967295 18446744073709551615 -1",
    ),
    "a value is copied, a reference is not": (
        "void grow(vector<int> &v, vector<int> w) { v.push_back(1); w.push_back(2); }\n"
        "int main() { vector<int> a(1, 5), b = a; grow(a, b); b[0] = 7; cout << a.size() << b.size() << a[0]; }",
        "",
        "215",
    ),
    "references to numbers come back": (
        "void add(long long &x, int y) { x += y; if (x > 9) x -= 10; }\n"
        "bool best(int &x, int y) { return x < y ? x = y, true : false; }\n"
        "int main() { long long d[2][2] = {{8, 0}, {0, 0}}; add(d[0][0], 5); int m = 1, c = 0;\n"
        "  if (best(m, 4)) c++; if (best(m, 3)) c++; cout << d[0][0] << m << c; }",
        "",
        "341",
    ),
    "a reference to an element stays where it was": (
        "int main() { int a[3] = {1, 2, 3}, i = 0; int &x = a[i]; i = 2; x = 9; for (auto &y : a) y++;\n"
        "  cout << a[0] << a[1] << a[2]; }",
        "",
        "1034",
    ),
    "steps inside expressions": (
        "int main() { int a[4] = {0}, n = 0; a[n++] = 5; a[n++] = n; int k = 3; while (k--) a[3] += k;\n"
        "  cout << a[0] << a[1] << a[2] << a[3] << n << k; }",
        "",
        "51032-1",
    ),
    "the right side of and is not always computed": (
        "int c = 0; bool f() { c++; return true; }\n"
        "int main() { int i = 0; bool a = i && f(), b = i++ == 0 && f(); cout << a << b << c << i; }",
        "",
        "0111",
    ),
    "loops with continue, do, commas": (
        "int main() { int s = 0; for (int i = 0, j = 9; i < j; i++, j--) { if (i == 2) continue; s += j; }\n"
        "  do { s++; if (s % 2) continue; s++; } while (s < 40); cout << s; }",
        "",
        "41",
    ),
    "a loop whose bound moves": (
        "int main() { int n = 3, s = 0; for (int i = 0; i < n; i++) { s += i; if (i == 1) n = 6; } cout << s; }",
        "",
        "15",
    ),
    "a bound that a call moves": (
        "struct S { int n = 2, s = 0; void grow() { if (n < 4) n++; } void run() { for (int i = 0; i < n; i++) { s += i; grow(); } } };\n"
        "void more(vector<int> &v) { if (v.size() < 5) v.push_back(1); }\n"
        "int main() { S a; a.run(); vector<int> v(1); int c = 0, n = 1; for (int i = 0; i < (int)v.size(); i++) { more(v); c++; }\n"
        "  auto up = [&]() { if (n < 3) n++; }; for (int i = 0; i < n; i++) { up(); c += 10; } cout << a.s << ' ' << c; }",
        "",
        "6 35",
    ),
    "strings and characters": (
        "int main() { string s, t = \"ab\"; cin >> s; s += 'z'; t = t + s.substr(1, 2); reverse(t.begin(), t.end());\n"
        "  char c = s[0] + 1; cout << t << c << s.size() << (s < t) << s.find(\"zz\") % 10 << (s[0] == 'h'); }",
        "hey",
        "yebai4151",
    ),
    "maps and sets in order": (
        'int main() { map<string, int> m; m["b"] = 2; m["a"]++; for (auto &p : m) cout << p.first << p.second;\n'
        "  set<pair<int, int>> s; s.insert({2, 1}); s.insert(make_pair(1, 9)); s.insert({2, 1});\n"
        "  auto it = s.lower_bound({1, 10}); cout << s.size() << it->first << s.count({1, 9});\n"
        '  s.erase(s.begin()); cout << s.begin()->second << m.count("c") << m["c"] << m.size(); }',
        "",
        "a1b22211003",
    ),
    "priority queues both ways": (
        "int main() { priority_queue<int> q; priority_queue<int, vector<int>, greater<int>> r;\n"
        "  for (int x : {3, 1, 2}) { q.push(x); r.push(x); } cout << q.top() << r.top(); q.pop(); cout << q.top(); }",
        "",
        "312",
    ),
    "structs with order and operators": (
        "struct P { int x, y; P(int a = 0, int b = 0) : x(a), y(b) {}\n"
        "  bool operator<(const P &o) const { return x != o.x ? x < o.x : y > o.y; }\n"
        "  P operator+(const P &o) const { return P(x + o.x, y + o.y); } int sum() { return x + y; } };\n"
        "int main() { vector<P> v; v.push_back(P(2, 1)); v.push_back(P(1, 1)); v.push_back(P(1, 5));\n"
        "  sort(v.begin(), v.end()); P q = v[0]; q.x = 50; P t = v[0] + v[2]; cout << v[0].x << v[0].y << t.sum(); }",
        "",
        "159",
    ),
    "sorting by a function, a lambda, a part": (
        "bool by(int a, int b) { return a % 10 < b % 10; }\n"
        "int main() { int a[5] = {31, 20, 13, 9, 4}; sort(a, a + 3, by);\n"
        "  sort(a + 3, a + 5, [](int x, int y) { return x < y; }); for (int x : a) cout << x << ' '; }",
        "",
        "20 31 13 4 9",
    ),
    "bounds, unique, accumulate": (
        "int main() { vector<int> v = {5, 1, 5, 3}; sort(v.begin(), v.end());\n"
        "  v.erase(unique(v.begin(), v.end()), v.end()); cout << v.size() << lower_bound(v.begin(), v.end(), 4) - v.begin()\n"
        "  << *max_element(v.begin(), v.end()) << accumulate(v.begin(), v.end(), 0LL); }",
        "",
        "3259",
    ),
    "scanf and printf": (
        "char s[20]; int a[5];\n"
        'int main() { int n; long long x; while (scanf("%d %lld", &n, &x) == 2) { scanf("%s", s + 1); scanf("%d", a + n);\n'
        '  printf("%03d %lld %s %c %d%%\\n", n, x, s + 1, s[1], a[n]); } }',
        "2 12345678901 word 7\n3 4 z 5",
        "002 12345678901 word w 7%\n003 4 z z 5%",
    ),
    "lines and characters": (
        "int main() { string line; getline(cin, line); int c, n = 0; while ((c = getchar()) != EOF) if (isdigit(c)) n++;\n"
        "  cout << line.size() << ' ' << n; }",
        "a b c\n1x2\n3",
        "5 3",
    ),
    "long arrays appear when used": (
        "const int N = 1e6 + 5; int a[N], d[N][3]; vector<int> g[N];\n"
        "int main() { memset(d, -1, sizeof(d)); g[999999].push_back(4); a[7] += 2; fill(a, a + 3, 6);\n"
        "  cout << d[5][2] << g[999999][0] << a[7] << a[2] << a[8]; memset(a, 0x3f, sizeof a); cout << ' ' << a[9]; }",
        "",
        "-14260 1061109567",
    ),
    "macros and templates": (
        "#define rep(i, n) for (int i = 0; i < (n); ++i)\n#define all(x) (x).begin(), (x).end()\ntypedef long long ll;\n"
        "template <class T> T most(const vector<T> &v) { T m = v[0]; for (auto x : v) m = max(m, x); return m; }\n"
        "int main() { vector<ll> v(3); rep(i, 3) v[i] = i * i; sort(all(v)); cout << most(v) << most(vector<int>{7, 2}); }",
        "",
        "47",
    ),
    "local functions that recurse": (
        "int main() { int calls = 0; function<int(int)> f = [&](int n) { calls++; return n < 2 ? n : f(n - 1) + f(n - 2); };\n"
        "  cout << f(6) << ' ' << calls; }",
        "",
        "8 25",
    ),
    "switch and ternaries": (
        "int main() { string s = \"LRx\"; int p = 0; for (char c : s) switch (c) { case 'L': case 'l': p--; break;\n"
        '  case \'R\': p += 5; break; default: p *= 2; } cout << (p > 3 ? "far" : "near") << p; }',
        "",
        "far8",
    ),
    "a whole structure is swapped and assigned": (
        "void turn(vector<vector<int>> &g) { vector<vector<int>> h = g; h[0][0] = 8; g = h; }\n"
        "int main() { vector<vector<int>> g(2, vector<int>(2, 1)), o; turn(g); g[1][1]++; swap(g, o);\n"
        "  cout << g.size() << o[0][0] << o[0][1] << o[1][1]; int a = 1, b = 2; swap(a, b); cout << a << b; }",
        "",
        "081221",
    ),
    "either of two is changed": (
        "int main() { int a = 1, b = 2, k = 0; for (int i = 0; i < 3; i++) (i == 1 ? a : b) += i + ++k; cout << a << ' ' << b; }",
        "",
        "4 8",
    ),
    "real numbers": (
        "int main() { double x; cin >> x; printf(\"%.3f \", x / 3); cout << fixed << setprecision(2) << sqrt(x) << ' ';\n"
        "  cout << (long long)floor(-x) << int(2.9); }",
        "2",
        "0.667 1.41 -22",
    ),
}
"""Name → program behind the usual head, input, output."""

NOT_COVERED: dict[str, tuple[str, str]] = {
    "heap objects": ("struct N { int v; }; int main() { N *p = new N(); }", "new"),
    "an order of hashes": ("int main() { unordered_map<int, int> m; for (auto p : m) cout << p.first; }", "order"),
    "files": ('int main() { freopen("a.txt", "r", stdin); }', "freopen"),
    "chance": ("int main() { cout << rand(); }", "rand"),
    "jumps": ("int main() { if (1) goto again; }", "goto"),
    "captures by value": ("int main() { int x = 1; auto f = [=]() { return x; }; cout << f(); }", "captures by value"),
    "inheritance": ("struct A {}; struct B : A {}; int main() {}", "inheritance"),
    "single precision": ("int main() { float x; cin >> x; cout << x; }", "float"),
    "assembly": ('int main() { asm("nop"); }', "asm"),
    "text that is no program": ("n = int(input())", "type"),
}
"""Name → program, words of the refusal."""
