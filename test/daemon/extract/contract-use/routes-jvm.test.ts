import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'functions of Spring',
    'A.java',
    `
    import org.springframework.web.reactive.function.server.*;
    class A {
      RouterFunction<?> a() { return route(GET("/a/{id}").and(accept(JSON)), h).andRoute(RequestPredicates.POST("/b"), h); }
      RouterFunction<?> b() {
        return route().GET("/c", h)
          .path("/v1", in -> in.PUT("/d", h).DELETE("/e/{id}", h))
          .build();
      }
      RouterFunction<?> c() { return nest(path("/v2"), route(GET("/f"), h)); }
    }
    `,
    `
    3 route GET /a/{}
    3 route POST /b
    5 route GET /c
    6 route PUT /v1/d
    6 route DELETE /v1/e/{}
    9 route GET /v2/f
    `,
  ],
  [
    'annotations of Spring with constants',
    'B.java',
    `
    import org.springframework.web.bind.annotation.*;
    @RequestMapping(B.BASE)
    class Other { static final String BASE = "/v1"; @GetMapping(Routes.ELSEWHERE) X a() {} }
    @RequestMapping(BASE)
    class B {
      static final String P = "/a/{id}";
      @GetMapping(path = P) X a() {}
      @PutMapping(value = P + "/lines", consumes = JSON) X b() {}
      @PostMapping({"/b", P}) X c() {}
      @DeleteMapping(produces = JSON) X d() {}
    }
    `,
    `
    7 route GET /v1/a/{}
    8 route PUT /v1/a/{}/lines
    9 route POST /v1/b
    9 route POST /v1/a/{}
    10 route DELETE /v1
    `,
  ],
  [
    'Vert.x and Javalin with any name',
    'C.java',
    `
    import io.vertx.ext.web.Router;
    import io.javalin.Javalin;
    class C {
      void a(Map<String, Object> m) {
        Router r = Router.router(vertx);
        r.get("/a/:id").handler(h);
        r.route(HttpMethod.POST, "/b").handler(h);
        r.route("/api/*").handler(body);
        var j = Javalin.create();
        j.put("/c/{id}", h);
        m.get("/d");
        Router sub = Router.router(vertx); Router other = Router.router(vertx);
        sub.get("/e").handler(h); other.get("/f").handler(h);
        r.route("/v1/*").subRouter(sub); r.mountSubRouter("/v2", other);
      }
    }
    `,
    `
    6 route GET /a/{}
    7 route POST /b
    10 route PUT /c/{}
    13 route GET /v1/e
    13 route GET /v2/f
    `,
  ],
  [
    'http4k',
    'D.kt',
    `
    import org.http4k.routing.*
    val app = routes(
      "/a/{id}" bind GET to { ok },
      "/v1" bind routes("/b" bind Method.POST to h, "/" bind PUT to h),
    )
    `,
    `
    3 route GET /a/{}
    4 route POST /v1/b
    4 route PUT /v1
    `,
  ],
  [
    'Spark',
    'E.java',
    `
    import static spark.Spark.*;
    class E { void a() {
      get("/a/:id", (q, r) -> "");
      path("/v1", () -> { post("/b", h); });
      m.get("/c", h);
    } }
    `,
    `
    3 route GET /a/{}
    4 route POST /v1/b
    `,
  ],
  [
    'routes of Play',
    'conf/routes',
    `
    # Carts
    GET     /a/:id             controllers.Carts.show(id: Long)
    POST    /b                 controllers.Carts.make()
    + nocsrf
    PUT     /c/$id<[0-9]+>/d   @controllers.Carts.change(id: Long)
    ->      /v1                v1.Routes
    `,
    `
    2 route GET /a/{}
    3 route POST /b
    5 route PUT /c/{}/d
    `,
  ],
  [
    'directives of Akka and Pekko',
    'F.scala',
    `
    import akka.http.scaladsl.server.Directives._
    val routes = pathPrefix("v1") {
      path("a" / LongNumber) { id => get { complete("") } ~ put { complete("") } } ~
      path("b") { post { entity(as[B]) { b => complete("") } } } ~
      pathEnd { delete { complete("") } }
    } ~ get {
      path("c" / "d") { complete(m.get { 1 }) }
    } ~ (patch & path("e" / Segment)) { e => complete("") } ~ pathPrefix("f") { other }
    `,
    `
    3 route GET /v1/a/{}
    3 route PUT /v1/a/{}
    4 route POST /v1/b
    5 route DELETE /v1
    7 route GET /c/d
    8 route PATCH /e/{}
    `,
  ],
  [
    'http4s',
    'G.scala',
    `
    import org.http4s.dsl.io._
    val routes: HttpRoutes[IO] = HttpRoutes.of[IO] {
      case GET -> Root / "a" / LongVar(id) => Ok()
      case req @ POST -> Root / "b" :? Size(s) => Ok()
    }
    val other = HttpRoutes.of[IO] { case PUT -> Root / "c" / id => Ok() }
    val app = Router("/v1" -> routes).orNotFound
    `,
    `
    3 route GET /v1/a/{}
    4 route POST /v1/b
    6 route PUT /c/{}
    `,
  ],
]);
