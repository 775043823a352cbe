import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'gRPC of Python',
    'server.py',
    `
    import grpc
    import shop_pb2
    import shop_pb2_grpc
    from shop.v1 import cart_pb2, cart_pb2_grpc as cart_grpc
    from genproto.ads_pb2_grpc import (
        AdServiceStub,  # used below
    )

    class Advice(shop_pb2_grpc.AdviceServiceServicer):
        stub: cart_grpc.CartServiceStub
        def run(self):
            """shop_pb2_grpc.IgnoredServiceStub(channel)"""
            # shop_pb2_grpc.IgnoredServiceStub(channel)
            a = shop_pb2_grpc.CatalogServiceStub(channel)
            b = cart_grpc.CartServiceStub(channel)
            c = AdServiceStub(channel)
            shop_pb2_grpc.add_AdviceServiceServicer_to_server(service, server)
            health, services = grpc.protos_and_services("protos/health.proto")
            channel.unary_unary('/shop.v1.EmailService/Send')
    `,
    `
    2 stub-import from=shop_pb2 file=shop.proto
    3 stub-import from=shop_pb2_grpc file=shop.proto
    4 stub-import from=shop.v1.cart_pb2 file=cart.proto
    4 stub-import from=shop.v1.cart_pb2_grpc file=cart.proto
    5 stub-import AdService from=genproto.ads_pb2_grpc file=ads.proto
    9 server AdviceService from=shop_pb2_grpc file=shop.proto
    10 stub-import CartService from=shop.v1.cart_pb2_grpc file=cart.proto
    14 client CatalogService from=shop_pb2_grpc file=shop.proto
    15 client CartService from=shop.v1.cart_pb2_grpc file=cart.proto
    16 client AdService from=genproto.ads_pb2_grpc file=ads.proto
    17 server AdviceService from=shop_pb2_grpc file=shop.proto
    18 load file=protos/health.proto
    19 client EmailService fullName=shop.v1.EmailService
    `,
  ],
  [
    'grpclib and betterproto',
    'app.py',
    `
    from grpclib.client import Channel
    from .helloworld_grpc import GreeterBase, GreeterStub
    from shop.v1 import CartServiceBase, CartServiceStub

    class Greeter(GreeterBase): ...
    class Cart(CartServiceBase): ...
    greeter = GreeterStub(channel)
    cart = CartServiceStub(channel)
    `,
    `
    2 stub-import Greeter from=.helloworld_grpc file=helloworld.proto
    5 server Greeter from=.helloworld_grpc file=helloworld.proto
    6 server CartService from=shop.v1
    7 client Greeter from=.helloworld_grpc file=helloworld.proto
    8 client CartService from=shop.v1
    `,
  ],
  [
    'paths of methods: with their slash, or handed to a tool',
    'paths.py',
    `
    import grpc
    PERMISSIONS = {"/acme.users.v1.Users/Get": "read"}
    print("acme.users.v1.Users/Get")
    subprocess.run([
        "grpcurl",
        "localhost:50051",
        "acme.users.v1.Users/List",
    ])
    os.system(f"grpcurl {host} acme.users.v1.Users/Put")
    print("acme.users.v1.Users/Get")
    `,
    `
    7 client Users fullName=acme.users.v1.Users
    9 client Users fullName=acme.users.v1.Users
    `,
  ],
  [
    'what comments alone speak of',
    'comments.py',
    `
    # stub = users_pb2_grpc.UsersStub(ch)
    print("acme.users.v1.Users/Get")
    print("/acme.users.v1.Users/Get")
    `,
    '',
  ],
  [
    'stubs of other things',
    'others.py',
    `
    from unittest.mock import MagicMock
    class HttpStub(object): ...
    stub = HttpStub(channel)
    class View(FormBase): pass
    def RedisStub(x): return x
    `,
    '',
  ],
  [
    'routes that are called and served',
    'routes.py',
    `
    import requests
    bp = Blueprint("carts", __name__, url_prefix="/api/carts")
    router = APIRouter(prefix="/orders")
    URL = "http://mail:80"
    @bp.route("/<int:cart_id>/items", methods=["POST"])
    def add(cart_id):
        requests.get(f"{BASE}/stock/{cart_id}?q=1")
        requests.request("PUT", "http://shipping:8080/ship/%s" % cart_id)
        session.post(url="x")
    @router.get("/{order_id}")
    async def one(): await client.delete(base_url + "/orders/" + str(1))
    @router.get("")
    async def every(): ...
    urlpatterns = [path("users/<int:pk>/", view), path("", home)]
    @app.get("/health")
    def health(): cache.get("key")
    app.config["LEDGER_URI"] = 'http://{}/transactions'.format(os.environ.get('LEDGER'))
    DOCS = "http://docs.acme.com/transactions"
    `,
    `
    5 route POST /api/carts/{}/items
    7 route-call GET /stock/{}
    8 route-call PUT shipping:8080 /ship/{}
    10 route GET /orders/{}
    11 route-call DELETE /orders/{}
    12 route GET /orders
    14 route * /users/{}
    15 route GET /health
    17 route-call * /transactions
    `,
  ],
  [
    'addresses that are put together, where they are called and before',
    'calls.py',
    `
    import requests
    BASE = "http://stock:8080"
    requests.get("http://{}/transactions/{}/history".format(host, id))
    requests.get(f"http://{env}/stock/{i}")
    requests.get(BASE + "/stock/" + id)
    requests.put(f"{BASE}/stock/{i}")
    def one(id):
        url = BASE + "/items/" + id
        key = f"{id}/cart"
        cache_client.get(key)
        return requests.delete(url, timeout=1)
    `,
    `
    3 route-call GET /transactions/{}/history
    4 route-call GET /stock/{}
    5 route-call GET stock:8080 /stock/{}
    6 route-call PUT stock:8080 /stock/{}
    11 route-call DELETE stock:8080 /items/{}
    `,
  ],
  [
    'clients of OpenAPI',
    'pets.py',
    `
    import openapi_client
    from petstore_client.apis import PetApi
    api = openapi_client.DefaultApi(client)
    pets = PetApi(api_client)
    `,
    `
    3 openapi-client DefaultApi from=openapi_client
    4 openapi-client PetApi from=petstore_client.apis
    `,
  ],
  [
    'generated code',
    'cart_pb2_grpc.py',
    `
    # Generated by the gRPC Python protocol compiler plugin. DO NOT EDIT!
    """Client and server classes corresponding to protobuf-defined services."""
    class CartServiceStub(object):
        def __init__(self, channel):
            self.GetCart = channel.unary_unary('/shop.v1.CartService/GetCart')
    def add_CartServiceServicer_to_server(servicer, server):
        generic_handler = grpc.method_handlers_generic_handler('shop.v1.CartService', handlers)
    `,
    '5 generated CartService fullName=shop.v1.CartService file=cart.proto',
  ],
]);
