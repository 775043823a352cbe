import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'routers of Express with any name, below where the file mounts them',
    'a.js',
    `
    const express = require('express');
    const app = express();
    const r = express.Router();
    const inner = require('express').Router();
    const m = new Map();
    r.get('/a/:id', h);
    inner.delete('/b', auth, h);
    r.route('/c')
      .post(h)
      .put(auth, (q, s) => s.json({}));
    app.get('env'); m.get('/x', h); m.route('/y').get(h);
    r.use('/inner', inner);
    app.use('/v1', auth, r);
    `,
    `
    6 route GET /v1/a/{}
    7 route DELETE /v1/inner/b
    9 route POST /v1/c
    10 route PUT /v1/c
    `,
  ],
  [
    'names that are routers and something else, and routers of others',
    'b.ts',
    `
    import { Router } from 'express';
    import { Router as Other } from './other';
    const r = Router(), o = new Other();
    export const a = async (q: Query) => { const c = await r.get('/a', q); return c; };
    export const b = async (q: Query) => { const r = await find(q); return o.get('/b', q); };
    `,
    '',
  ],
  [
    'prefixes of Koa, Hono and Fastify',
    'c.ts',
    `
    import Router from '@koa/router';
    import { Hono } from 'hono';
    import Fastify, { type FastifyInstance } from 'fastify';
    const k = new Router({ prefix: '/v1' });
    const h = new Hono().basePath('/v2');
    const sub = new Hono();
    const f = Fastify({ logger: true });
    k.get('/a/:id', show);
    h.post('/b', c => c.text('x'));
    sub.put('/c', c => c.text('x'));
    h.route('/sub', sub);
    f.get('/d', { schema }, show);
    f.route({ method: ['GET', 'HEAD'], url: '/e', handler: show });
    export const plugin = async (i: FastifyInstance) => { i.patch('/f/:id', show); };
    `,
    `
    8 route GET /v1/a/{}
    9 route POST /v2/b
    10 route PUT /v2/sub/c
    12 route GET /d
    13 route GET /e
    13 route HEAD /e
    14 route PATCH /f/{}
    `,
  ],
  [
    'routes of hapi, one or a list',
    'd.js',
    `
    const Hapi = require('@hapi/hapi');
    const server = Hapi.server();
    server.route({ method: 'GET', path: '/a/{id}', handler: h });
    server.route([
      { method: ['PUT', 'POST'], path: '/b', handler: h },
      { method: '*', path: '/c', options: { validate: { payload: { path: '/no' } } }, handler: h },
    ]);
    history.route({ path: '/page' });
    `,
    `
    3 route GET /a/{}
    5 route PUT /b
    5 route POST /b
    6 route * /c
    `,
  ],
  [
    'several methods of Flask, and what routers are included with',
    'a.py',
    `
    from flask import Flask, Blueprint
    from fastapi import APIRouter
    app = Flask(__name__)
    bp = Blueprint("x", __name__)
    router = APIRouter(prefix="/in")
    @app.route("/a/<int:id>", methods=["GET", "POST"])
    def a(id): ...
    @bp.get("/b")
    def b(): ...
    @router.api_route("/c", methods=["PUT", "PATCH"])
    def c(): ...
    app.add_url_rule("/d", endpoint="d", view_func=d, methods=["DELETE"])
    app.register_blueprint(bp, url_prefix="/v1")
    app.include_router(router, prefix="/v2")
    `,
    `
    6 route GET /a/{}
    6 route POST /a/{}
    8 route GET /v1/b
    10 route PUT /v2/in/c
    10 route PATCH /v2/in/c
    12 route DELETE /d
    `,
  ],
  [
    'Starlette, also mounted',
    'b.py',
    `
    from starlette.routing import Mount, Route
    routes = [
        Route("/a/{id}", endpoint=show, methods=["GET", "PUT"]),
        Mount("/v1", routes=[Route("/b", make, methods=["POST"]), Mount("/in", app=Router([Route("/c", make)]))]),
        Mount("/static", app=StaticFiles(directory="static")),
    ]
    `,
    `
    3 route GET /a/{}
    3 route PUT /a/{}
    4 route POST /v1/b
    4 route * /v1/in/c
    `,
  ],
  [
    'Tornado',
    'c.py',
    `
    import tornado.web
    pairs = [("/tmp/a", path), (1, "/b")]
    app = tornado.web.Application([
        (r"/a/([0-9]+)/lines/(?P<line>[^/]+)/?", shop.LineHandler, dict(db=db)),
        (r"/b", BHandler),
        tornado.web.url(r"/c/(\\w+)", CHandler, name="c"),
        (r"/(?:d|e)", DHandler),
    ])
    `,
    `
    4 route * /a/{}/lines/{}
    5 route * /b
    6 route * /c/{}
    `,
  ],
  ['Falcon', 'd.py', 'import falcon\napp = falcon.App()\napp.add_route("/a/{id}", Thing())\n', '3 route * /a/{}'],
  [
    'expressions of Django, and what is included in place',
    'shop/urls.py',
    `
    from django.urls import include, path, re_path
    urlpatterns = [
        re_path(r"^api/b/(?P<id>\\d+)/$", views.b),
        path("v1/", include([path("a/<int:pk>/", views.a), re_path(r"^c\\.json$", views.c)])),
        path("other/", include("other.urls")),
        re_path(r"^any/(?:a|b)?", views.d),
    ]
    `,
    `
    3 route * /api/b/{}
    4 route * /v1/a/{}
    4 route * /v1/c.json
    `,
  ],
  [
    'Litestar',
    'e.py',
    `
    from litestar import Controller, get, post
    @get("/a/{id:int}")
    async def a(id: int) -> None: ...
    class Orders(Controller):
        path = "/orders"
        @get()
        async def all(self) -> None: ...
        @post("/{id:int}/lines")
        async def add(self, id: int) -> None: ...
    `,
    `
    2 route GET /a/{}
    6 route GET /orders
    8 route POST /orders/{}/lines
    `,
  ],
  [
    'chi: what is called on a router before, and groups',
    'a.go',
    `
    package main
    import "github.com/go-chi/chi/v5"
    func main() {
    	r := chi.NewRouter()
    	r.With(a.Auth(b())).Route("/api", func(r chi.Router) {
    		r.Get("/a/{id}", h)
    		r.With(mw, limit(3)).Post("/b", h)
    		r.Group(func(in chi.Router) {
    			in.Use(mw)
    			in.Put("/c", h)
    		})
    	})
    	r.Delete("/d", h)
    }
    `,
    `
    6 route GET /api/a/{}
    7 route POST /api/b
    10 route PUT /api/c
    13 route DELETE /d
    `,
  ],
  [
    'gorilla with several methods',
    'b.go',
    `
    package main
    import "github.com/gorilla/mux"
    func main() {
    	r := mux.NewRouter()
    	s := r.PathPrefix("/v1").Subrouter()
    	s.HandleFunc("/a/{id:[0-9]+}", h).Methods("GET", http.MethodPut)
    	r.HandleFunc("/b", h).Name("b").
    		Methods(http.MethodPost)
    	s.Methods("DELETE").Path("/c").Handler(h)
    	s.Path("/d").Methods("PATCH").HandlerFunc(h)
    	log.Path("/e")
    }
    `,
    `
    6 route GET /v1/a/{}
    6 route PUT /v1/a/{}
    7 route POST /b
    9 route DELETE /v1/c
    10 route PATCH /v1/d
    `,
  ],
  [
    'httprouter',
    'c.go',
    `
    package main
    import "github.com/julienschmidt/httprouter"
    func main() {
    	router := httprouter.New()
    	router.GET("/a/:id", h)
    	router.HandlerFunc("POST", "/b", h)
    	router.Handler(http.MethodPut, "/c", h)
    }
    `,
    `
    5 route GET /a/{}
    6 route POST /b
    7 route PUT /c
    `,
  ],
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
      }
    }
    `,
    `
    6 route GET /a/{}
    7 route POST /b
    10 route PUT /c/{}
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
  [
    'axum, nested in place and by name',
    'src/a.rs',
    `
    use axum::{Router, routing::get};
    fn app() -> Router {
        let named = Router::new().route("/a/:id", get(h).post(g));
        let other = Router::new().route("/b", put(h));
        Router::new().route("/c", get(h))
            .nest("/v1", Router::new().route("/d", post(h)).nest("/in", Router::new().route("/e", get(h))))
            .nest("/v2", named).nest("/v3", made(state)).nest("/v4", users::other())
    }
    fn made(s: State) -> Router<State> { Router::new().route("/f/{id}", delete(h)) }
    `,
    `
    3 route GET /v2/a/{}
    3 route POST /v2/a/{}
    4 route PUT /b
    5 route GET /c
    6 route POST /v1/d
    6 route GET /v1/in/e
    9 route DELETE /v3/f/{}
    `,
  ],
  [
    'actix: scopes, and functions that stand in none',
    'src/b.rs',
    `
    use actix_web::{get, post, web};
    #[get("/a/{id}")]
    async fn a() {}
    #[post("/b")]
    async fn b() {}
    fn app() {
        App::new().service(a).service(web::scope("/v1")
            .service(b).route("/c", web::post().to(h)).route("", web::put().to(h))
            .service(web::resource("/d").route(web::get().to(h)).route(web::delete().to(h))))
            .route("/e", web::get().to(h));
    }
    `,
    `
    2 route GET /a/{}
    4 route POST /v1/b
    8 route POST /v1/c
    8 route PUT /v1
    9 route GET /v1/d
    9 route DELETE /v1/d
    10 route GET /e
    `,
  ],
  [
    'rocket, mounted',
    'src/c.rs',
    `
    #[macro_use] extern crate rocket;
    #[get("/a/<id>")]
    fn a() {}
    #[launch]
    fn rocket() -> _ { rocket::build().mount("/v1", routes![a, other::b]) }
    `,
    '2 route GET /v1/a/{}',
  ],
  [
    'warp',
    'src/d.rs',
    `
    use warp::Filter;
    fn m() {
        let a = warp::path!("a" / u32 / "lines").and(warp::get()).map(f);
        let b = warp::post().and(warp::path("b")).and(warp::path::param()).and(warp::path::end()).and_then(f);
        let v = warp::path("v1");
        let c = v.and(warp::path("c")).and(warp::put());
    }
    `,
    `
    3 route GET /a/{}/lines
    4 route POST /b/{}
    `,
  ],
]);
