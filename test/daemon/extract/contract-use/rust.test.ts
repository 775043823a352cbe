import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'gRPC of Rust',
    'src/main.rs',
    `
    use shop::v1::{cart_service_client::CartServiceClient, Cart};
    use shop::v1::checkout_service_server::{CheckoutService, CheckoutServiceServer};
    pub mod shop { pub mod v1 { tonic::include_proto!("shop.v1"); } }
    impl<'a> CheckoutService for Checkout { }
    async fn main<'a>() {
        let a = CartServiceClient::connect("http://x").await?;
        let b = CartServiceClient::with_interceptor(channel, f);
        let c = RedisClient::connect("x"); // AdServiceClient::connect("x")
        Server::builder().add_service(CheckoutServiceServer::new(Checkout {}));
        let d = r#"MailServiceClient::connect("x")"#;
    }
    `,
    `
    1 type-import from=shop.v1 type=Cart
    1 stub-import CartService from=shop::v1
    2 stub-import CheckoutService from=shop::v1
    3 stub-import from=shop.v1
    4 server CheckoutService from=shop::v1
    6 client CartService from=shop::v1
    7 client CartService from=shop::v1
    9 server CheckoutService from=shop::v1
    `,
  ],
  [
    'modules of Rust that are imported for themselves',
    'src/stock.rs',
    `
    use stock::v1::stock_service_client;
    use crate::pb::{cart_client as cart, ads_server};
    use crate::http_client;
    use crate::cache::my_client;
    async fn f() { let a = stock_service_client::StockServiceClient::connect("http://x").await?; }
    fn g(c: cart::CartClient<T>) { let d = CartClient::new(c); }
    `,
    `
    1 stub-import StockService from=stock::v1
    2 stub-import Cart from=pb
    2 stub-import Ads from=pb
    5 stub-import StockService
    5 client StockService from=stock::v1
    6 client Cart from=pb
    `,
  ],
  [
    'modules of Rust that have names of their own in a file',
    'src/users.rs',
    `
    use proto::acme::user::v2 as user;
    use proto::acme::{team::v1 as team, cart::v1};
    use crate::mail::v1::mail_service_client as mail;
    use a::both; use b::both;
    use tonic::transport::Channel;
    async fn f() {
        let a = user::user_service_client::UserServiceClient::connect("x").await?;
        let b = team::user_service_client::UserServiceClient::connect("x").await?;
        let c = v1::cart_service_client::CartServiceClient::connect("x").await?;
        let d = mail::MailServiceClient::new(channel);
        let e = both::ad_service_client::AdServiceClient::new(channel);
    }
    `,
    `
    3 stub-import MailService from=mail::v1
    7 stub-import UserService from=proto::acme::user::v2
    7 client UserService from=proto::acme::user::v2
    8 stub-import UserService from=proto::acme::team::v1
    8 client UserService from=proto::acme::team::v1
    9 stub-import CartService from=proto::acme::cart::v1
    9 client CartService from=proto::acme::cart::v1
    10 client MailService from=mail::v1
    11 stub-import AdService from=both
    11 client AdService from=both
    `,
  ],
]);
