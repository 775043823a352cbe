import { testUses } from '../../../support/contract-uses.ts';

testUses([
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
  [
    'groups and resources of Laravel',
    'routes/api.php',
    `
    <?php
    use Illuminate\\Support\\Facades\\Route;
    Route::get('/a/{id}', [X::class, 'a']);
    Route::middleware(['auth'])->prefix('v1')->group(function () {
        Route::post('/b', fn() => 1);
        Route::prefix('in')->group(function () { Route::middleware('x')->put('c', 'X@c'); });
        Route::apiResource('orders.lines', LineController::class)->only(['index', 'update']);
    });
    Route::group(['middleware' => ['auth'], 'prefix' => 'v2'], function () {
        Route::match(['get', 'post'], 'd', [X::class, 'd']);
        Route::get('', [X::class, 'e']);
    });
    Route::prefix('{tenant}')->group(function () { Route::delete('{user}/x', 'X@x'); });
    Route::apiResource('carts', CartController::class, ['except' => ['destroy', 'store']]);
    `,
    `
    3 route GET /a/{}
    5 route POST /v1/b
    6 route PUT /v1/in/c
    7 route GET /v1/orders/{}/lines
    7 route PUT /v1/orders/{}/lines/{}
    7 route PATCH /v1/orders/{}/lines/{}
    10 route GET /v2/d
    10 route POST /v2/d
    11 route GET /v2
    13 route DELETE /{}/{}/x
    14 route GET /carts
    14 route GET /carts/{}
    14 route PUT /carts/{}
    14 route PATCH /carts/{}
    `,
  ],
  [
    'groups of Slim',
    'a.php',
    `
    <?php
    use Slim\\Factory\\AppFactory;
    use Slim\\Interfaces\\RouteCollectorProxyInterface as Group;
    $slim = AppFactory::create();
    $slim->get('/a/{id}', fn() => 1);
    $slim->group('/v1', function (Group $g) {
        $g->post('/b', 'x');
        $g->get('', 'y');
        $g->group('/in', function ($h) { $h->delete('/c', 'z'); });
    });
    $cache->get('/d', 1);
    `,
    `
    5 route GET /a/{}
    7 route POST /v1/b
    8 route GET /v1
    9 route DELETE /v1/in/c
    `,
  ],
  [
    'shelf_router',
    'a.dart',
    `
    import 'package:shelf_router/shelf_router.dart';
    void main() {
      final r = Router();
      r.get('/a/<id>', h);
      r.add('PUT', '/b', h);
      final c = Router()
        ..post('/c', h)
        ..delete('/d/<id|[0-9]+>', h);
      m.get('/e', h);
      final s = Router();
      s.patch('/f', h);
      r.mount('/v1/', s.call);
    }
    `,
    `
    4 route GET /a/{}
    5 route PUT /b
    7 route POST /c
    8 route DELETE /d/{}
    11 route PATCH /v1/f
    `,
  ],
  [
    'groups of Vapor',
    'a.swift',
    `
    import Vapor
    func r(_ app: Application) throws {
      app.get("a", ":id") { req in "" }
      let v = app.grouped("api", "v1")
      v.post("b") { req in "" }
      let w = v.grouped(Auth())
      w.group("c") { c in c.get(use: all); c.group(":id") { one in one.delete(use: gone) } }
      cache.get("x")
    }
    struct Todos: RouteCollection {
      func boot(routes r: RoutesBuilder) throws { let t = r.grouped("todos"); t.get(use: index); t.put("done", Todo.parameter) { req in "" } }
    }
    `,
    `
    3 route GET /a/{}
    5 route POST /api/v1/b
    7 route GET /api/v1/c
    7 route DELETE /api/v1/c/{}
    11 route GET /todos
    11 route PUT /todos/done/{}
    `,
  ],
  [
    'Grape',
    'a.rb',
    `
    class A < Grape::API
      prefix :api
      version 'v1', using: :path
      resource :a do
        desc 'All'
        get do
        end
        get ':id' do
        end
        route_param :id do
          post :lines do
            redis.get 'x'
          end
        end
      end
      put 'b' do
      end
    end
    class B < Grape::API
      version 'v2', using: :header, vendor: 'x'
      namespace('c') { get { x } }
    end
    `,
    `
    6 route GET /api/v1/a
    8 route GET /api/v1/a/{}
    11 route POST /api/v1/a/{}/lines
    16 route PUT /api/v1/b
    `,
  ],
  [
    'actions of resources of Rails',
    'config/routes.rb',
    `
    Rails.application.routes.draw do
      resources :carts, only: [:index, :show]
      resources :orders, only: :create
      resource :session, except: %i[update show]
    end
    `,
    `
    2 route GET /carts
    2 route GET /carts/{}
    3 route POST /orders
    4 route POST /session
    4 route DELETE /session
    `,
  ],
  [
    'functions of Azure',
    'A.cs',
    `
    using Microsoft.Azure.Functions.Worker;
    class A {
      [Function("x")] public X One([HttpTrigger(AuthorizationLevel.Anonymous, "get", "put", Route = "a/{id:int}")] HttpRequestData r) {}
      [FunctionName("Named")]
      public X Two([HttpTrigger(AuthorizationLevel.Function, "post", Route = null)] HttpRequest r) {}
      [Function("y")] public X Three([HttpTrigger(Route = Routes.Elsewhere)] HttpRequestData r) {}
      [Function("z")] public X Four([TimerTrigger("0 0 * * *")] T t) {}
    }
    `,
    `
    3 route GET /api/a/{}
    3 route PUT /api/a/{}
    5 route POST /api/Named
    `,
  ],
]);
