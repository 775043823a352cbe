import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkContracts } from '../../../../daemon/analysis/contracts/link-contracts.ts';
import { edgesTold, membersIn } from '../../../support/contract-members.ts';
import { unindented } from '../../../support/outline.ts';

/** Repositories, and the edges between them, one a line: see `edgesTold`. */
type Case = readonly [name: string, repositories: string, edges: string];

const cartProto = `syntax = "proto3";
package shop.cart.v1;
service CartService {
  rpc GetCart(GetCartRequest) returns (Cart);
}
message GetCartRequest { string id = 1; }
message Cart { string id = 1; }`;

const provider = `
-- cart/proto/cart.proto --
${cartProto}
-- cart/main.go --
package main
import pb "github.com/acme/cart/gen/shop/cart/v1"
func main() { pb.RegisterCartServiceServer(srv, &server{}) }
`;

const consumer = `
-- checkout/main.go --
package main
import pb "github.com/acme/cart/gen/shop/cart/v1"
var carts = pb.NewCartServiceClient(conn)
`;

const cases: readonly Case[] = [
  [
    'a place that a file with several services has is of no other of that name with one; nor a module of another owner’s',
    `
-- schema/acme/user/v2/user.proto --
syntax = "proto3";
package acme.user.v2;
option go_package = "github.com/acme/schema/user/v2";
service UserService { rpc Get(X) returns (X); }
service AuditService { rpc Get(X) returns (X); }
message X {}
-- legacy/proto/user.proto --
syntax = "proto3";
package user;
option go_package = "github.com/acme/legacy/gen;userpb";
service UserService { rpc Get(Y) returns (Y); }
message Y {}
-- legacy/main.go --
package main
import pb "github.com/acme/legacy/gen"
func main() { pb.RegisterUserServiceServer(srv, &server{}) }
-- py/a.py --
from acme.user.v2 import user_pb2_grpc
users = user_pb2_grpc.UserServiceStub(channel)
-- other/main.go --
package main
import pb "github.com/zeta/iam/user"
var c = pb.NewUserServiceClient(conn)
`,
    `
    other -> legacy/proto/user.proto user.UserService consumer heuristic 0.5 by legacy | main.go:3 client
    other -> schema/acme/user/v2/user.proto acme.user.v2.UserService consumer heuristic 0.5 | main.go:3 client
    py -> schema/acme/user/v2/user.proto acme.user.v2.UserService consumer derived 0.85 | a.py:2 client
    `,
  ],
  [
    'what is Google’s or gRPC’s is nobody’s contract who keeps a copy of it, but that of a repository that has it at its root',
    `
-- vendorer/protos/grpc/health/v1/health.proto --
syntax = "proto3";
package grpc.health.v1;
service Health { rpc Check(In) returns (In); }
message In {}
-- vendorer/protos/google/api/annotations.proto --
syntax = "proto3";
package google.api;
-- asking/main.go --
package main
import healthpb "google.golang.org/grpc/health/grpc_health_v1"
var c = healthpb.NewHealthClient(conn)
-- serving/main.py --
from grpc_health.v1 import health_pb2_grpc
health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
-- app/a.proto --
syntax = "proto3";
package app;
import "google/api/annotations.proto";
import "google/rpc/status.proto";
-- googleapis/google/rpc/status.proto --
syntax = "proto3";
package google.rpc;
message Status {}
`,
    `
    app -> googleapis/google/rpc/status.proto dependent declared 1 | a.proto:4 import
    `,
  ],
  [
    'of two who keep a file for others, who keeps more has it first',
    `
-- registry/proto/cart.proto --
${cartProto}
-- registry/proto/money.proto --
syntax = "proto3";
package shop.money;
message Money {}
-- copying/cart.proto --
${cartProto}
`,
    `
    copying -> registry/proto/cart.proto dependent heuristic 0.6 | cart.proto:3 copy
    `,
  ],
  [
    'an owner of Java’s packages that is not the file’s makes a guess, Google’s own clients none; a registry’s domain is everybody’s',
    `
-- protos/pubsub.proto --
syntax = "proto3";
package pubsub;
option java_package = "com.acme.pubsub";
service Publisher { rpc Publish(In) returns (In); }
message In {}
-- protos/pay.proto --
syntax = "proto3";
package zed.pay.v1;
option go_package = "github.com/zed/gen/pay/v1;payv1";
service PayService { rpc Pay(In) returns (In); }
message In {}
-- google/A.java --
import com.google.cloud.pubsub.v1.PublisherGrpc;
class A { Object p(io.grpc.Channel c) { return PublisherGrpc.newStub(c); } }
-- other/A.java --
import com.zeta.pubsub.PublisherGrpc;
class A { Object p(io.grpc.Channel c) { return PublisherGrpc.newStub(c); } }
-- registry/main.go --
package main
import "buf.build/gen/go/zed/pay/grpc/go/zed/pay/v1/payv1grpc"
var c = payv1grpc.NewPayServiceClient(conn)
`,
    `
    other -> protos/pubsub.proto pubsub.Publisher consumer heuristic 0.5 | A.java:2 client, A.java:1 stub-import
    registry -> protos/pay.proto zed.pay.v1.PayService consumer derived 0.85 | main.go:3 client
    `,
  ],
  [
    'a server that shows no contract is a guess, and none where somebody surely serves, or the name is of several',
    `
-- contracts/ledger.proto --
syntax = "proto3";
package acme.ledger.v1;
service LedgerService { rpc Append(Entry) returns (Entry); }
message Entry {}
-- contracts/cart.proto --
${cartProto}
-- contracts/basket.proto --
${cartProto.replace('shop.cart.v1', 'shop.basket.v1')}
-- ledger/src/ledger.controller.ts --
import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
@Controller()
export class LedgerController {
  @GrpcMethod('LedgerService', 'Append')
  append() {}
  @GrpcMethod('CartService', 'GetCart')
  cart() {}
}
-- app/main.go --
package main
import pb "github.com/acme/gen/acme/ledger/v1"
var c = pb.NewLedgerServiceClient(conn)
`,
    `
    app -> contracts/ledger.proto acme.ledger.v1.LedgerService consumer derived 0.85 by ledger | main.go:3 client
    ledger -> contracts/ledger.proto acme.ledger.v1.LedgerService provider heuristic 0.5 | src/ledger.controller.ts:5 server
    `,
  ],
  [
    'a place of another version, or that has nothing of the package, is a guess at most',
    `${provider}
-- py/a.py --
from shop.cart.v2 import cart_pb2_grpc
carts = cart_pb2_grpc.CartServiceStub(channel)
-- java/A.java --
import com.vendor.baskets.v1.CartServiceGrpc;
class A { Object f(io.grpc.Channel c) { return CartServiceGrpc.newBlockingStub(c); } }
-- rust/src/main.rs --
mod pb { tonic::include_proto!("vendor.baskets.v1"); }
use pb::cart_service_client::CartServiceClient;
async fn f() { let c = CartServiceClient::connect("x").await; }
`,
    `
    java -> cart/proto/cart.proto shop.cart.v1.CartService consumer heuristic 0.5 by cart | A.java:2 client, A.java:1 stub-import
    py -> cart/proto/cart.proto shop.cart.v1.CartService consumer heuristic 0.5 by cart | a.py:2 client, a.py:1 stub-import
    rust -> cart/proto/cart.proto shop.cart.v1.CartService consumer heuristic 0.5 by cart | src/main.rs:3 client, src/main.rs:2 stub-import
    `,
  ],
  [
    'a package of another name, or of gRPC itself, is another’s though the service and the version are called the same',
    `
-- api/proto/acme/payments/v1/payments.proto --
syntax = "proto3";
package acme.payments.v1;
service PaymentService { rpc Pay(Order) returns (Order); }
message Order { string id = 1; }
-- api/proto/acme/health/v1/health.proto --
syntax = "proto3";
package acme.health.v1;
service Health { rpc Check(In) returns (In); }
message In {}
-- payments/main.go --
package main
import pb "github.com/acme/payments/gen/acme/payments/v1"
func main() { pb.RegisterPaymentServiceServer(srv, &server{}) }
-- java/A.java --
import com.stripe.gateway.v1.PaymentServiceGrpc;
class A { Object f(io.grpc.Channel c) { return PaymentServiceGrpc.newStub(c); } }
-- go/main.go --
package main
import pb "github.com/zeta/protos/gen/zeta/payments/v1"
var c = pb.NewPaymentServiceClient(conn)
-- py/a.py --
from zeta.payments.v1 import payments_pb2_grpc
c = payments_pb2_grpc.PaymentServiceStub(channel)
-- messages/a.py --
from zeta.payments.v1 import payments_pb2
-- flat/a.py --
import order_payments_pb2
-- api/proto/acme/payments/v1/order_payments.proto --
syntax = "proto3";
package acme.payments.v1;
message OrderPaid {}
-- health/main.go --
package main
import "google.golang.org/grpc/health/grpc_health_v1"
func main() { grpc_health_v1.RegisterHealthServer(s, h) }
var c = grpc_health_v1.NewHealthClient(conn)
-- mine/main.go --
package main
import pb "github.com/zeta/shop/gen/acme/payments/v1"
var c = pb.NewPaymentServiceClient(conn)
-- alone/main.go --
package main
import pb "github.com/zeta/shop/payments"
var c = pb.NewPaymentServiceClient(conn)
`,
    `
    alone -> api/proto/acme/payments/v1/payments.proto acme.payments.v1.PaymentService consumer derived 0.85 by payments | main.go:3 client
    flat -> api/proto/acme/payments/v1/order_payments.proto dependent derived 0.85 | a.py:1 stub-import
    go -> api/proto/acme/payments/v1/payments.proto acme.payments.v1.PaymentService consumer heuristic 0.5 by payments | main.go:3 client
    java -> api/proto/acme/payments/v1/payments.proto acme.payments.v1.PaymentService consumer heuristic 0.5 by payments | A.java:2 client, A.java:1 stub-import
    mine -> api/proto/acme/payments/v1/payments.proto acme.payments.v1.PaymentService consumer derived 0.85 by payments | main.go:3 client
    payments -> api/proto/acme/payments/v1/payments.proto acme.payments.v1.PaymentService provider derived 0.85 | main.go:3 server
    py -> api/proto/acme/payments/v1/payments.proto acme.payments.v1.PaymentService consumer heuristic 0.5 by payments | a.py:2 client, a.py:1 stub-import
    `,
  ],
  [
    'namespaces that C# has open in all files; a file of another repository that a project makes clients of',
    `
-- api/proto/crm.proto --
syntax = "proto3";
package acme.crm.v1;
option csharp_namespace = "Acme.Crm";
service Notifier { rpc Notify(In) returns (In); }
message In {}
-- api/proto/billing.proto --
syntax = "proto3";
package acme.billing.v1;
option csharp_namespace = "Acme.Billing";
service Notifier { rpc Notify(In) returns (In); }
message In {}
-- global/GlobalUsings.cs --
global using System;
global using Acme.Crm;
-- global/P.cs --
services.AddGrpcClient<Notifier.NotifierClient>(o => o.Address = a);
-- project/P.csproj --
<Project><ItemGroup><Using Include="Acme.Billing" /></ItemGroup></Project>
-- project/P.cs --
services.AddGrpcClient<Notifier.NotifierClient>(o => o.Address = a);
-- neither/P.cs --
services.AddGrpcClient<Notifier.NotifierClient>(o => o.Address = a);
-- elsewhere/P.csproj --
<Project><ItemGroup><Protobuf Include="gen\\crm.proto" GrpcServices="Server" /></ItemGroup></Project>
-- beside/P.csproj --
<Project><ItemGroup><Protobuf Include="..\\api\\proto\\crm.proto" GrpcServices="Client" /></ItemGroup></Project>
`,
    `
    beside -> api/proto/crm.proto acme.crm.v1.Notifier consumer declared 1 | P.csproj:1 generator
    global -> api/proto/crm.proto acme.crm.v1.Notifier consumer derived 0.85 | P.cs:1 client
    neither -> api/proto/billing.proto acme.billing.v1.Notifier consumer heuristic 0.5 | P.cs:1 client
    neither -> api/proto/crm.proto acme.crm.v1.Notifier consumer heuristic 0.5 | P.cs:1 client
    project -> api/proto/billing.proto acme.billing.v1.Notifier consumer derived 0.85 | P.cs:1 client
    `,
  ],
  [
    'of a registry’s module the files that code imports, or the parts that are asked for',
    `
-- schemas/buf.yaml --
version: v2
modules: [{ path: proto, name: buf.build/acme/schemas }]
-- schemas/proto/acme/pay/v1/pay.proto --
syntax = "proto3";
package acme.pay.v1;
message Pay {}
-- schemas/proto/acme/mail/v1/mail.proto --
syntax = "proto3";
package acme.mail.v1;
message Mail {}
-- web/package.json --
{ "dependencies": { "@buf/acme_schemas.bufbuild_es": "1" } }
-- web/a.ts --
import { PaySchema } from '@buf/acme_schemas.bufbuild_es/acme/pay/v1/pay_pb';
-- parts/buf.gen.yaml --
version: v2
inputs:
  - module: buf.build/acme/schemas
    paths:
      - acme/mail/v1
`,
    `
    parts -> schemas/proto/acme/mail/v1/mail.proto dependent declared 1 | buf.gen.yaml:5 dependency
    web -> schemas/proto/acme/pay/v1/pay.proto dependent declared 1 | package.json:1 dependency, a.ts:1 stub-import
    `,
  ],
  [
    'of two versions the one that the import says, by whatever alias, of clients and of servers',
    `
-- api/shop/cart/v1/cart.proto --
${cartProto}
-- api/shop/cart/v2/cart.proto --
${cartProto.replace('v1', 'v2')}
-- py/a.py --
from shop.cart.v2 import cart_pb2_grpc
carts = cart_pb2_grpc.CartServiceStub(channel)
-- rb/a.rb --
require 'shop/cart/v1/cart_services_pb'
V = Shop::Cart::V1
carts = V::CartService::Stub.new('x', nil)
-- rust/src/main.rs --
mod pb { tonic::include_proto!("shop.cart.v2"); }
use pb::cart_service_server::{CartService, CartServiceServer};
impl CartService for Carts {}
fn f() { Server::builder().add_service(CartServiceServer::new(Carts {})) }
`,
    `
    py -> api/shop/cart/v2/cart.proto shop.cart.v2.CartService consumer derived 0.85 by rust | a.py:2 client, a.py:1 stub-import
    rb -> api/shop/cart/v1/cart.proto shop.cart.v1.CartService consumer derived 0.85 | a.rb:3 client, a.rb:1 stub-import
    rust -> api/shop/cart/v2/cart.proto shop.cart.v2.CartService provider derived 0.85 | src/main.rs:3 server, src/main.rs:4 server
    `,
  ],
  [
    'who imports messages alone depends on their file, whether it has services or not',
    `
-- events/shop/events/v1/events.proto --
syntax = "proto3";
package shop.events.v1;
option go_package = "github.com/acme/gen/shop/events/v1;eventsv1";
message OrderPlaced { string id = 1; }
-- events/shop/cart/v1/cart.proto --
${cartProto}
-- py/a.py --
from shop.events.v1 import events_pb2
from shop.cart.v1 import cart_pb2
-- go/main.go --
package main
import eventspb "github.com/acme/gen/shop/events/v1"
var e eventspb.OrderPlaced
-- rust/src/main.rs --
mod events { tonic::include_proto!("shop.events.v1"); }
-- cpp/a.cc --
#include "shop/events/v1/events.pb.h"
-- other/a.py --
from vendor.events.v2 import events_pb2
`,
    `
    cpp -> events/shop/events/v1/events.proto dependent derived 0.85 | a.cc:1 stub-import
    go -> events/shop/events/v1/events.proto dependent derived 0.85 | main.go:2 stub-import
    py -> events/shop/cart/v1/cart.proto dependent derived 0.85 | a.py:2 stub-import
    py -> events/shop/events/v1/events.proto dependent derived 0.85 | a.py:1 stub-import
    rust -> events/shop/events/v1/events.proto dependent derived 0.85 | src/main.rs:1 stub-import
    `,
  ],
  [
    'and where packages alone tell of messages: by the type that is imported, or by the only file of the package',
    `
-- events/shop/events/v1/order_events.proto --
syntax = "proto3";
package shop.events.v1;
option java_package = "com.acme.shop.events.v1";
option csharp_namespace = "Acme.Shop.Events.V1";
message OrderPlaced { string id = 1; message Line { string id = 1; } }
-- events/shop/events/v1/mail_events.proto --
syntax = "proto3";
package shop.events.v1;
message MailSent { string id = 1; }
-- events/shop/old.proto --
syntax = "proto3";
package shop.old;
message Receipt { string id = 1; }
-- cart/shop/cart/v1/cart.proto --
${cartProto}
-- cart/main.go --
package main
import pb "github.com/acme/cart/gen/shop/cart/v1"
func main() { pb.RegisterCartServiceServer(srv, &server{}) }
-- java/A.java --
import com.acme.shop.events.v1.OrderPlaced;
import com.acme.shop.events.v1.Elsewhere;
import shop.cart.v1.Cart;
import shop.old.Old.Receipt;
class A { Object f(byte[] b) { return Receipt.parseFrom(b); } }
-- javaold/A.java --
import com.acme.shop.events.v1.OrderEvents.OrderPlaced;
-- kotlin/a.kt --
import com.acme.shop.events.v1.orderPlaced
-- scala/A.scala --
import com.acme.shop.events.v1.order_events.OrderPlaced
-- csharp/A.cs --
using Acme.Shop.Events.V1;
class A { object F() => new OrderPlaced { Id = "1" }; }
-- all/A.cs --
using Acme.Shop.Events.V1;
class A { }
-- php/a.php --
<?php
use Shop\\Events\\V1\\OrderPlaced\\Line;
-- elixir/a.ex --
alias Shop.Events.V1.MailSent
-- swift/a.swift --
let a = Shop_Events_V1_MailSent()
-- user/A.java --
import shop.cart.v1.Cart;
import shop.cart.v1.CartServiceGrpc;
class A { Object f(io.grpc.Channel c) { return CartServiceGrpc.newStub(c); } }
-- other/A.java --
import com.vendor.events.v1.OrderPlaced;
import shop.events.v2.OrderPlaced;
import shop.events.v1.Nothing;
`,
    `
    all -> events/shop/events/v1/mail_events.proto dependent heuristic 0.5 | A.cs:1 type-import
    all -> events/shop/events/v1/order_events.proto dependent heuristic 0.5 | A.cs:1 type-import
    csharp -> events/shop/events/v1/order_events.proto dependent derived 0.85 | A.cs:1 type-import
    elixir -> events/shop/events/v1/mail_events.proto dependent derived 0.85 | a.ex:1 type-import
    java -> cart/shop/cart/v1/cart.proto dependent derived 0.85 | A.java:3 type-import
    java -> events/shop/events/v1/order_events.proto dependent derived 0.85 | A.java:1 type-import
    java -> events/shop/old.proto dependent derived 0.85 | A.java:4 type-import
    javaold -> events/shop/events/v1/order_events.proto dependent derived 0.85 | A.java:1 type-import
    kotlin -> events/shop/events/v1/order_events.proto dependent derived 0.85 | a.kt:1 type-import
    php -> events/shop/events/v1/order_events.proto dependent derived 0.85 | a.php:2 type-import
    scala -> events/shop/events/v1/order_events.proto dependent derived 0.85 | A.scala:1 type-import
    swift -> events/shop/events/v1/mail_events.proto dependent derived 0.85 | a.swift:1 type-import
    user -> cart/shop/cart/v1/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | A.java:3 client, A.java:2 stub-import
    `,
  ],
  [
    'who makes a client consumes what a server implements',
    provider + consumer,
    'checkout -> cart/proto/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | main.go:3 client',
  ],
  [
    'a copy that lies with the consumer is none of the provider’s, and no edge leads to it',
    `${provider}${consumer}
-- checkout/protos/cart.proto --
${cartProto}
`,
    'checkout -> cart/proto/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | main.go:3 client',
  ],
  [
    'copies in repositories that have to do with other services alone',
    `${provider}
-- mail/protos/shop.proto --
${cartProto}
service MailService { rpc Send(Cart) returns (Cart); }
-- mail/server.py --
import shop_pb2_grpc
class Mail(shop_pb2_grpc.MailServiceServicer):
    pass
shop_pb2_grpc.add_MailServiceServicer_to_server(Mail(), server)
`,
    '',
  ],
  [
    'a repository of schemas: its services have homes there, whoever implements them',
    `
-- schemas/shop/cart/v1/cart.proto --
${cartProto}
-- cart/main.go --
package main
import pb "github.com/acme/schemas/gen/shop/cart/v1"
func main() { pb.RegisterCartServiceServer(srv, &server{}) }
${consumer}`,
    `
    cart -> schemas/shop/cart/v1/cart.proto shop.cart.v1.CartService provider derived 0.85 | main.go:3 server
    checkout -> schemas/shop/cart/v1/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | main.go:3 client
    `,
  ],
  [
    'a provider that has generated code alone: the contract is known by copies, of who has one by that',
    `
-- cart/gen/cart_grpc.pb.go --
// Code generated by protoc-gen-go-grpc. DO NOT EDIT.
// source: cart.proto
const x = "/shop.cart.v1.CartService/GetCart"
-- cart/main.go --
package main
import pb "github.com/acme/cart/gen"
func main() { pb.RegisterCartServiceServer(srv, &server{}) }
-- web/protos/cart.proto --
${cartProto}
-- web/main.go --
package main
import pb "github.com/acme/web/gen/shop/cart/v1"
var carts = pb.NewCartServiceClient(conn)
${consumer}`,
    `
    cart -> web/protos/cart.proto shop.cart.v1.CartService provider derived 0.85 | main.go:3 server
    checkout -> web/protos/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | main.go:3 client
    web -> web/protos/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | main.go:3 client
    `,
  ],
  [
    'a copy of what one repository implements, where nothing else is done with it; code that was generated of its messages',
    `${provider}
-- copier/pb/cart.proto --
${cartProto}
-- copier/main.go --
package main
-- messages/gen/cart.pb.go --
// Code generated by protoc-gen-go. DO NOT EDIT.
// source: proto/cart.proto
package gen
-- compiler/pb/cart.proto --
${cartProto}
-- compiler/main.go --
package main
-- compiler/buf.gen.yaml --
version: v2
inputs:
  - proto_file: pb/cart.proto
`,
    `
    compiler -> cart/proto/cart.proto dependent declared 1 | buf.gen.yaml:3 generator, pb/cart.proto:3 copy
    copier -> cart/proto/cart.proto dependent heuristic 0.6 | pb/cart.proto:3 copy
    messages -> cart/proto/cart.proto dependent derived 0.85 | gen/cart.pb.go:1 generated
    `,
  ],
  [
    'stubs that are imported by the name of their file, where that has one service alone',
    `${provider}
-- py/a.py --
from gen import cart_pb2_grpc
print(cart_pb2_grpc)
-- both/protos/pair.proto --
syntax = "proto3";
package pair.v1;
service One {}
service Two {}
-- other/a.py --
from gen import pair_pb2_grpc
print(pair_pb2_grpc)
`,
    'py -> cart/proto/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | a.py:1 stub-import',
  ],
  [
    'nobody is his own consumer',
    `${provider}
-- cart/cmd/probe/main.go --
package main
import pb "github.com/acme/cart/gen/shop/cart/v1"
var carts = pb.NewCartServiceClient(conn)
`,
    '',
  ],
  [
    'tests alone are told as tests; a test server makes no provider',
    `${provider}
-- checkout/cart_test.go --
package main
import pb "github.com/acme/cart/gen/shop/cart/v1"
var carts = pb.NewCartServiceClient(conn)
-- web/cart_test.go --
package main
import pb "github.com/acme/cart/gen/shop/cart/v1"
func TestCart() { pb.RegisterCartServiceServer(srv, &fake{}) }
`,
    'checkout -> cart/proto/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | cart_test.go:3 client in a test',
  ],
  [
    'an import across repositories is declared, also of messages alone',
    `
-- common/proto/money/money.proto --
syntax = "proto3";
package acme.money;
message Money { int64 units = 1; }
-- cart/proto/cart.proto --
syntax = "proto3";
package shop.cart;
import "money/money.proto";
import "google/protobuf/empty.proto";
message Cart { acme.money.Money total = 1; }
-- bystander/main.go --
package main
`,
    'cart -> common/proto/money/money.proto dependent declared 1 | proto/cart.proto:3 import',
  ],
  [
    'an import that the repository itself has leads nowhere else; a copy of messages that nothing is done with is a guess',
    `
-- common/proto/money/money.proto --
syntax = "proto3";
package acme.money;
message Money { int64 units = 1; }
-- cart/proto/cart.proto --
syntax = "proto3";
package shop.cart;
import "money/money.proto";
message Cart { acme.money.Money total = 1; }
-- cart/proto/money/money.proto --
syntax = "proto3";
package acme.money;
message Money { int64 units = 1; }
-- cart/main.go --
package main
-- cart/a.go --
package main
-- cart/b.go --
package main
`,
    'cart -> common/proto/money/money.proto dependent heuristic 0.6 | proto/money/money.proto:3 copy',
  ],
  [
    'modules of buf that are depended upon, where some of it is imported and where nothing is',
    `
-- pets/buf.yaml --
version: v2
modules:
  - path: proto
    name: buf.build/acme/pets
-- pets/proto/pet/v1/pet.proto --
syntax = "proto3";
package pet.v1;
message Pet {}
-- pets/proto/pet/v1/toy.proto --
syntax = "proto3";
package pet.v1;
message Toy {}
-- pets/other/aside.proto --
syntax = "proto3";
package aside.v1;
message Aside {}
-- shop/buf.yaml --
version: v2
deps:
  - buf.build/acme/pets:v1.2.0
  - buf.build/googleapis/googleapis
-- shop/shop.proto --
syntax = "proto3";
package shop.v1;
import "pet/v1/pet.proto";
message Shop { pet.v1.Pet pet = 1; }
-- vet/buf.yaml --
version: v2
deps:
  - buf.build/acme/pets
`,
    `
    shop -> pets/proto/pet/v1/pet.proto dependent declared 1 | shop.proto:3 import, buf.yaml:3 dependency
    vet -> pets/proto/pet/v1/pet.proto dependent declared 1 | buf.yaml:3 dependency
    vet -> pets/proto/pet/v1/toy.proto dependent declared 1 | buf.yaml:3 dependency
    `,
  ],
  [
    'a generator’s configuration: of a copy of one’s own, and of a path that leads out',
    `${provider}${consumer}
-- checkout/buf.gen.yaml --
version: v2
inputs:
  - proto_file: protos/cart.proto
-- checkout/protos/cart.proto --
${cartProto}
-- web/buf.gen.yaml --
version: v2
inputs:
  - proto_file: ../cart/proto/cart.proto
`,
    `
    checkout -> cart/proto/cart.proto shop.cart.v1.CartService consumer declared 1 by cart | main.go:3 client, buf.gen.yaml:3 generator
    web -> cart/proto/cart.proto dependent declared 1 | buf.gen.yaml:3 generator
    `,
  ],
  [
    'a configuration that has one side of a file with one service generated says which side the repository is',
    `
-- cart/protos/cart.proto --
${cartProto}
-- cart/.uses --
{"kind":"generator","file":"protos\\\\cart.proto","role":"server","at":"cart.csproj"}
-- web/protos/cart.proto --
${cartProto}
-- web/.uses --
{"kind":"generator","file":"protos\\\\cart.proto","role":"client","at":"web.csproj"}
`,
    'web -> cart/protos/cart.proto shop.cart.v1.CartService consumer declared 1 by cart | web.csproj:1 generator',
  ],
  [
    'generated code of a file with one service is as good as a client; of one with several it says nothing of either',
    `${provider}
-- web/gen/cart_pb2_grpc.py --
# Generated by the gRPC Python protocol compiler plugin. DO NOT EDIT!
GET = '/shop.cart.v1.CartService/GetCart'
-- two/proto/two.proto --
syntax = "proto3";
package two;
service A { rpc X(M) returns (M); }
service B { rpc Y(M) returns (M); }
message M {}
-- two/main.go --
package main
import pb "github.com/acme/two/gen/two"
func main() { pb.RegisterAServer(srv, a); pb.RegisterBServer(srv, b) }
-- web/gen/two_pb2_grpc.py --
# Generated by the gRPC Python protocol compiler plugin. DO NOT EDIT!
X = '/two.A/X'
Y = '/two.B/Y'
`,
    'web -> cart/proto/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | gen/cart_pb2_grpc.py:2 generated',
  ],
  [
    'two services of one name: the package that code is imported from tells which, and without it it is a guess',
    `${provider}
-- old/legacy/cart.proto --
syntax = "proto3";
package legacy.basket;
service CartService { rpc GetCart(M) returns (M); }
message M {}
-- old/main.go --
package main
import pb "github.com/acme/old/gen/legacy/basket"
func main() { pb.RegisterCartServiceServer(srv, &server{}) }
${consumer}
-- till/main.go --
package main
import pb "github.com/acme/old/gen/legacy/basket"
var carts = pb.NewCartServiceClient(conn)
-- web/main.go --
package main
import pb "example.com/somewhere/stubs"
var carts = pb.NewCartServiceClient(conn)
`,
    `
    checkout -> cart/proto/cart.proto shop.cart.v1.CartService consumer derived 0.85 by cart | main.go:3 client
    till -> old/legacy/cart.proto legacy.basket.CartService consumer derived 0.85 by old | main.go:3 client
    web -> cart/proto/cart.proto shop.cart.v1.CartService consumer heuristic 0.5 by cart | main.go:3 client
    web -> old/legacy/cart.proto legacy.basket.CartService consumer heuristic 0.5 by old | main.go:3 client
    `,
  ],
];

for (const [name, repositories, edges] of cases) {
  test(name, () => {
    const told = edgesTold(linkContracts(membersIn(repositories)).edges);
    assert.equal(told, edges === '' ? '' : unindented(edges).trim());
  });
}
