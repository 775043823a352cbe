/** The service that a generated name speaks of, `CartService` of `CartServiceClient` with `Client` taken off; '' where it can be none. */
export function serviceOf(name: string, ending: string): string {
  const service = name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
  return /^[A-Z]\w{0,150}$/.test(service) ? service : '';
}

/** Whether others make clients of that name, which speak no contract of somebody's own: `HTTPClient`, `S3Client`. */
export function isTechnology(service: string): boolean {
  return technologies.has(service.toLowerCase());
}

/** What others make clients of: protocols, stores and clouds. */
const technologies: ReadonlySet<string> = new Set(
  `http https http2 httpapi rest restapi api rpc grpc grpcweb jsonrpc json xmlrpc soap graphql web websocket ws tcp udp socket ssh sftp ftp smtp
   mail email imap ldap dns mqtt amqp stomp tls quic redis rediscluster cluster s3 sqs sns dynamodb lambda kms sts iam ec2 ecs ecr aws azure gcp gcs
   blob bigquery pubsub kafka rabbitmq nats zookeeper consul vault etcd etcdv3 mongo mongodb sql mysql postgres postgresql pg sqlite
   cassandra elastic elasticsearch opensearch clickhouse influx influxdb prometheus statsd datadog sentry otlp zipkin jaeger oauth oauth2 oidc openid
   docker kubernetes kube k8s clientset helm github gitlab slack discord telegram twitter stripe twilio openai anthropic supabase firebase
   apollo urql query test mock fake stub dummy base abstract default generic simple new async sync cached retry raw low level
   lowlevel inner wrapped resty mcp dapr`
    .split(/\s+/)
    .filter(word => word !== ''),
);

/** `shop.v1.CartService` → its name alone. */
export function lastOf(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

/** What comes before the last name, without the mark between: `shop.v1` of `shop.v1.CartService`, '' of a name alone. */
export function withoutLast(chain: string): string {
  return chain.replace(/(?:\.|::|\\)?\w{0,200}$/, '');
}
