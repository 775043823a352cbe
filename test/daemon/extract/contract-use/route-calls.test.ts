import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'calls of C++',
    'a.cc',
    `
    #include <cpr/cpr.h>
    #include <httplib.h>
    auto a = cpr::Get(cpr::Url{base + "/crm/v7/customers/" + id + "/postal-addresses"}, cpr::Timeout{3});
    auto b = cpr::PostAsync(cpr::Url("http://crm/crm/v7/customers"));
    session.SetUrl(cpr::Url{fmt::format("{}/crm/v7/{}", base, id)});
    httplib::Client c("http://crm");
    auto d = c.Get(("/crm/v7/customers/" + id + "/notes").c_str());
    std::unique_ptr<httplib::SSLClient> e_;
    auto f = e_->Post("/crm/v7/customers", body, "application/json");
    auto g = httplib::Client(getenv("CRM")).Delete("/crm/v7/customers/1");
    auto h = std::make_unique<httplib::Client>(host);
    auto i = h->Put(absl::StrCat("/crm/v7/", id, "/tags"));
    auto j = cache.Get("/crm/v7/cached");
    httplib::Server k;
    k.Get("/crm/v7/own", handler);
    std::string url = base + "/crm/v7/called";
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_CAINFO, "/etc/ssl/certs/ca.pem");
    `,
    `
    3 route-call GET /crm/v7/customers/{}/postal-addresses
    4 route-call POST crm /crm/v7/customers
    5 route-call * /crm/v7/{}
    7 route-call GET /crm/v7/customers/{}/notes
    9 route-call POST /crm/v7/customers
    10 route-call DELETE /crm/v7/customers/1
    12 route-call PUT /crm/v7/{}/tags
    17 route-call * /crm/v7/called
    `,
  ],
  [
    'calls of the C++ REST SDK',
    'b.cc',
    `
    #include <cpprest/http_client.h>
    web::http::client::http_client client(U("http://crm"));
    auto a = client.request(methods::POST, U("/crm/v7/customers"), body);
    auto b = client.request(web::http::methods::GET, U("/crm/v7/") + id);
    auto c = client.request(token, U("/crm/v7/none"));
    `,
    `
    3 route-call POST /crm/v7/customers
    4 route-call GET /crm/v7/{}
    `,
  ],
  [
    'calls of Scala: sttp',
    'A.scala',
    `
    package a
    import sttp.client3._
    class A(base: String, cache: Cache) {
      def a(id: String) = basicRequest.get(uri"$base/crm/v7/customers/$id/postal-addresses")
      def b(id: String) = basicRequest.auth.bearer(token).body(x)
        .post(uri"http://crm/crm/v7/customers")
      def c(id: String) = basicRequest.method(Method.PUT, uri"$base/crm/v7/\${id.value}")
      def d(id: String) = cache.get("/crm/v7/cached")
    }
    `,
    `
    4 route-call GET /crm/v7/customers/{}/postal-addresses
    6 route-call POST crm /crm/v7/customers
    7 route-call PUT /crm/v7/{}
    `,
  ],
  [
    'calls of Scala: Akka and Pekko',
    'B.scala',
    `
    import akka.http.scaladsl.Http
    import akka.http.scaladsl.model.{HttpMethods, HttpRequest}
    class B(base: String) {
      def a(id: String) = Http().singleRequest(HttpRequest(uri = s"$base/crm/v7/get/$id/postal-addresses"))
      def b = HttpRequest(HttpMethods.POST, s"$base/crm/v7/customers", entity = HttpEntity("/body"))
      def c = HttpRequest(method = HttpMethods.DELETE, uri = Uri(s"$base/crm/v7/customers/1"))
      def d: HttpRequest => Response = { case HttpRequest(GET, Uri.Path("/served"), _, _, _) => x }
      def e = HttpRequest(uri = address)
      HttpRequest(uri = "/tested") ~> routes ~> check { x }
    }
    `,
    `
    4 route-call GET /crm/v7/get/{}/postal-addresses
    5 route-call POST /crm/v7/customers
    6 route-call DELETE /crm/v7/customers/1
    `,
  ],
  [
    'calls of Swift by URLSession',
    'A.swift',
    `
    import Foundation
    func a(_ id: String) async throws -> Data {
      let url = URL(string: "\\(base)/crm/v7/customers/\\(id)/postal-addresses")!
      return try await URLSession.shared.data(from: url).0
    }
    func b() { let site = URL(string: "https://acme.com")!; let terms = URL(string: "https://acme.com/terms")!; let none = URL(string: text); let f = URL(fileURLWithPath: "/tmp/a") }
    `,
    '3 route-call GET /crm/v7/customers/{}/postal-addresses',
  ],
  [
    'calls of Swift with a request',
    'B.swift',
    `
    import Foundation
    func a() {
      var r = URLRequest(url: URL(string: "\\(base)/crm/v7/customers")!)
      r.httpMethod = "POST"
      var s = URLRequest(url: URL(string: base + "/crm/v7/tags")!)
      send(s)
    }
    let c = HTTPClientRequest(url: "\\(base)/crm/v7/notes")
    `,
    `
    3 route-call POST /crm/v7/customers
    5 route-call * /crm/v7/tags
    8 route-call * /crm/v7/notes
    `,
  ],
  [
    'addresses of Swift where nothing is sent',
    'C.swift',
    'import UIKit\nlet a = URL(string: "\\(base)/help/start")!\n// URLSession\n',
    '',
  ],
  [
    'calls of Python: strings that are filled in, and clients with other names',
    'a.py',
    `
    import requests
    import httpx
    URL = "/crm/v7/customers/{}/postal-addresses"
    OLD = "/crm/v6/%s/notes"
    def a(base, id):
        requests.get(base + "/crm/v7/customers/%s/postal-addresses" % id)
        requests.get("%s/crm/v7/%d/tags" % (base, id), timeout=3)
        requests.get("%s/crm/v7/%s" % (base, q(id).x) + "/last")
        requests.put(OLD % id)
    def b(c: httpx.Client, d: dict, id):
        d.get(URL.format(id))
        return c.get(URL.format(id))
    class C:
        def __init__(self):
            self.h = requests.Session()
            self.cache = Cache()
        def go(self):
            self.h.post("/crm/v7/customers")
            self.cache.get("/crm/v7/cached")
            with httpx.Client(base_url=base) as x:
                x.delete("/crm/v7/customers/1")
    `,
    `
    6 route-call GET /crm/v7/customers/{}/postal-addresses
    7 route-call GET /crm/v7/{}/tags
    8 route-call GET /crm/v7/{}/last
    9 route-call PUT /crm/v6/{}/notes
    12 route-call GET /crm/v7/customers/{}/postal-addresses
    18 route-call POST /crm/v7/customers
    21 route-call DELETE /crm/v7/customers/1
    `,
  ],
  [
    'names of Python that are clients and something else',
    'b.py',
    `
    import httpx
    c = httpx.Client()
    def a(c: dict): return c.get("/crm/v7/customers")
    app = Flask(__name__)
    @app.get("/own")
    def own(): pass
    `,
    '5 route GET /own',
  ],
  [
    'calls of Kotlin on clients with other names',
    'A.kt',
    `
    import io.ktor.client.HttpClient
    class A(private val c: HttpClient, private val base: String, private val m: Map<String, String>) {
        val k = HttpClient(CIO) { expectSuccess = true }
        suspend fun a(id: String) = c.get("$base/crm/v7/customers/$id/postal-addresses")
        suspend fun b(id: String) = k.post("$base/crm/v7/customers")
        fun d(id: String) = m.get("/crm/v7/mapped")
        suspend fun e(): Cart = this.c.get<Cart>("$base/crm/v7/typed")
    }
    `,
    `
    4 route-call GET /crm/v7/customers/{}/postal-addresses
    5 route-call POST /crm/v7/customers
    7 route-call GET /crm/v7/typed
    `,
  ],
  [
    'calls of Java on a RestTemplate with another name',
    'A.java',
    `
    import org.springframework.web.client.RestTemplate;
    class A {
      private final RestTemplate rt;
      private final Map<String, List<String>> m;
      String a(String id) { return rt.getForObject(base + "/crm/v7/customers/" + id, String.class); }
      void b() { rt.exchange(base + "/crm/v7/customers", HttpMethod.PUT, e, Void.class); m.get("/crm/v7/mapped"); }
    }
    `,
    `
    5 route-call GET /crm/v7/customers/{}
    6 route-call PUT /crm/v7/customers
    `,
  ],
  [
    'calls of Dart on clients with other names',
    'a.dart',
    `
    import 'package:dio/dio.dart';
    import 'package:http/http.dart' as http;
    Future r(Dio d, String base, String sku) => d.get('$base/api/v1/inventory/$sku/reservations');
    class A {
      final http.Client? _c;
      final Map<String, String> m;
      final x = Dio(BaseOptions());
      a() => _c!.post(Uri.parse('$base/api/v1/inventory'));
      b() => m.get('/api/v1/mapped');
      c() => x.delete<void>('/api/v1/inventory/1');
    }
    `,
    `
    3 route-call GET /api/v1/inventory/{}/reservations
    8 route-call POST /api/v1/inventory
    10 route-call DELETE /api/v1/inventory/1
    `,
  ],
  [
    'calls of Ruby on what is made there, or has another name',
    'a.rb',
    `
    require "faraday"
    class A
      def a(id) = Faraday.new(ENV["CRM"]).get("/crm/v7/customers/#{id}/postal-addresses")
      def b(id) = Faraday.new(url: base) { |f| f.request :json }.post("/crm/v7/customers")
      def c = (@f ||= Faraday.new(url: base))
      def d = @f.delete("/crm/v7/customers/1")
      def e = Cache.new(1).get("/crm/v7/cached") + @g.get("/crm/v7/other")
      def h = Faraday.new(ENV["CRM"]).headers
    end
    `,
    `
    3 route-call GET /crm/v7/customers/{}/postal-addresses
    4 route-call POST /crm/v7/customers
    6 route-call DELETE /crm/v7/customers/1
    `,
  ],
  [
    'calls of JavaScript on clients with other names',
    'a.ts',
    `
    import axios, { type AxiosInstance } from 'axios';
    const c = axios.create({ baseURL: process.env.CRM });
    const m = new Map<string, string>();
    export const a = (id: string) => c.get(\`/crm/v7/customers/\${id}/postal-addresses\`);
    export class A {
      constructor(private readonly x: AxiosInstance, private readonly y: Cache) {}
      b() { this.y.get('/crm/v7/cached'); m.get('/crm/v7/mapped'); return this.x.post('/crm/v7/customers', {}); }
    }
    `,
    `
    4 route-call GET /crm/v7/customers/{}/postal-addresses
    7 route-call POST /crm/v7/customers
    `,
  ],
  [
    'calls of Rust on clients with other names',
    'src/a.rs',
    `
    use reqwest::Client;
    async fn a(c: &Client, m: &HashMap<String, String>, id: &str) {
        c.get(format!("{}/crm/v7/customers/{}/postal-addresses", base, id)).send().await;
        m.get("/crm/v7/mapped");
        let x = reqwest::blocking::Client::new();
        x.post(format!("{base}/crm/v7/customers")).send();
    }
    `,
    `
    3 route-call GET /crm/v7/customers/{}/postal-addresses
    6 route-call POST /crm/v7/customers
    `,
  ],
  [
    'strings that are filled in where they are called',
    'c.py',
    `
    import requests
    def a(id):
        url = BASE + "/crm/v7/customers/{}/tags"
        return requests.get(url.format(id))
    def b(path):
        return requests.get(path.format(1))
    def c(id):
        return requests.get("/crm/v7/customers/%(id)s/notes" % {"id": id})
    `,
    `
    4 route-call GET /crm/v7/customers/{}/tags
    8 route-call GET /crm/v7/customers/{}/notes
    `,
  ],
]);
