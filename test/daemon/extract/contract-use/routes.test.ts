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
    http.get(\`http://localhost:\${port}/z\`, reply => {});
    r.use('/inner', inner);
    app.use('/v1', auth, r);
    `,
    `
    6 route GET /v1/a/{}
    7 route DELETE /v1/inner/b
    9 route POST /v1/c
    10 route PUT /v1/c
    12 route-call GET /z
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
    h.post('/b/:id{[0-9]+}', c => c.text('x'));
    sub.put('/c', c => c.text('x'));
    h.route('/sub', sub);
    f.get('/d', { schema }, show);
    f.route({ method: ['GET', 'HEAD'], url: '/e', handler: show });
    export const plugin = async (i: FastifyInstance) => { i.patch('/f/:id', show); };
    `,
    `
    8 route GET /v1/a/{}
    9 route POST /v2/b/{}
    10 route PUT /v2/sub/c
    12 route GET /d
    13 route GET /e
    13 route HEAD /e
    14 route PATCH /f/{}
    `,
  ],
  [
    'routes that are called one on another, or stand in lines of their own',
    'e.ts',
    `
    import { Hono } from 'hono';
    const app = new Hono<Env>().basePath('/v1')
      .get('/a', c => c.text('x'))
      .use('/a', auth)
      .post('/b/:id', validator('json', check), c => c.text('x'));
    const more = app.put('/c', h).delete('/d', h);
    export const other = () => new Hono().get('/e', h);
    app.patch(
      '/f',
      auth,
      h,
    );
    new Map().get('/g', h);
    `,
    `
    3 route GET /v1/a
    5 route POST /v1/b/{}
    6 route PUT /v1/c
    6 route DELETE /v1/d
    7 route GET /e
    8 route PATCH /v1/f
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
        Mount("/v2", routes=named),
        Mount("/static", app=StaticFiles(directory="static")),
    ]
    named = [Route("/d", show)]
    `,
    `
    3 route GET /a/{}
    3 route PUT /a/{}
    4 route POST /v1/b
    4 route * /v1/in/c
    8 route * /v2/d
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
        path("v2/", include(of_carts)),
    ]
    of_carts = [path("carts/", include([path("<int:pk>/", views.e)])), path("last", views.f)]
    `,
    `
    3 route * /api/b/{}
    4 route * /v1/a/{}
    4 route * /v1/c.json
    9 route * /v2/carts/{}
    9 route * /v2/last
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
    class Others(Controller):
        @get(
            path="/others"
        )
        async def all(self) -> None: ...
    `,
    `
    2 route GET /a/{}
    6 route GET /orders
    8 route POST /orders/{}/lines
    11 route GET /others
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
    	sub := chi.NewRouter()
    	sub.Get("/e", h)
    	r.Mount("/sub", sub)
    	r.Mount("/admin", admin())
    }
    func admin() http.Handler {
    	r := chi.NewRouter()
    	r.Get("/f", h)
    	return r
    }
    `,
    `
    6 route GET /api/a/{}
    7 route POST /api/b
    10 route PUT /api/c
    13 route DELETE /d
    15 route GET /sub/e
    21 route GET /admin/f
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
]);
