import protobuf from 'protobufjs';

/** Metrics as OpenTelemetry's protocol has them (its metrics service, version 1), as far as these tests need them. */
const schema = `
syntax = "proto3";
message ExportMetricsServiceRequest { repeated ResourceMetrics resource_metrics = 1; }
message ExportMetricsServiceResponse { ExportMetricsPartialSuccess partial_success = 1; }
message ExportMetricsPartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }
message Status { int32 code = 1; string message = 2; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeMetrics { InstrumentationScope scope = 1; repeated Metric metrics = 2; string schema_url = 3; }
message InstrumentationScope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
message Metric {
  string name = 1; string description = 2; string unit = 3;
  oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; ExponentialHistogram exponential_histogram = 10; Summary summary = 11; }
}
enum AggregationTemporality {
  AGGREGATION_TEMPORALITY_UNSPECIFIED = 0; AGGREGATION_TEMPORALITY_DELTA = 1; AGGREGATION_TEMPORALITY_CUMULATIVE = 2;
}
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; AggregationTemporality aggregation_temporality = 2; bool is_monotonic = 3; }
message Histogram { repeated HistogramDataPoint data_points = 1; AggregationTemporality aggregation_temporality = 2; }
message ExponentialHistogram {
  repeated ExponentialHistogramDataPoint data_points = 1; AggregationTemporality aggregation_temporality = 2;
}
message Summary { repeated SummaryDataPoint data_points = 1; }
message NumberDataPoint {
  repeated KeyValue attributes = 7; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3;
  oneof value { double as_double = 4; sfixed64 as_int = 6; }
  uint32 flags = 8;
}
message HistogramDataPoint {
  repeated KeyValue attributes = 9; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4;
  double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; uint32 flags = 10;
}
message ExponentialHistogramDataPoint {
  repeated KeyValue attributes = 1; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4;
  double sum = 5; sint32 scale = 6; fixed64 zero_count = 7; uint32 flags = 10;
}
message SummaryDataPoint {
  repeated KeyValue attributes = 7; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4;
  double sum = 5; uint32 flags = 8;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
    ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
`;

const { root } = protobuf.parse(schema);

/** A message by its JSON form: fields in lowerCamelCase, numbers of 64 bits as texts, enumerations as numbers. */
export function encoded(message: string, json: object): Uint8Array<ArrayBuffer> {
  const type = root.lookupType(message);
  return new Uint8Array(type.encode(type.fromObject(json)).finish());
}

/** A message as JSON. */
export function decoded(message: string, bytes: Uint8Array): Record<string, unknown> {
  const type = root.lookupType(message);
  return type.toObject(type.decode(bytes), { longs: String });
}

export function encodedMetrics(request: object): Uint8Array<ArrayBuffer> {
  return encoded('ExportMetricsServiceRequest', request);
}

export type AnyValue = Readonly<Record<string, unknown>>;

/** Attributes by their names: texts, booleans, whole numbers; all else as OTLP has it. */
export function attributes(named: Readonly<Record<string, string | number | boolean | AnyValue>>): readonly object[] {
  return Object.entries(named).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean | AnyValue): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return typeof value === 'number' ? { intValue: String(value) } : value;
}

/** A request of one metric, of one resource and scope. */
export function requestOf(
  metric: object,
  resource: Parameters<typeof attributes>[0] = { 'service.name': 'shop' },
  scope: object = { name: 'test', version: '1' },
): object {
  return {
    resourceMetrics: [{ resource: { attributes: attributes(resource) }, scopeMetrics: [{ scope, metrics: [metric] }] }],
  };
}

/** A sum that only grows. `temporality`: 1 delta, 2 cumulative. */
export function sumOf(name: string, dataPoints: readonly object[], more: object = {}): object {
  return { name, unit: '{call}', sum: { dataPoints, aggregationTemporality: 1, isMonotonic: true, ...more } };
}

export function pointOf(
  named: Parameters<typeof attributes>[0],
  value: number | string = 1,
  more: object = {},
): object {
  return {
    attributes: attributes(named),
    startTimeUnixNano: '1700000000000000000',
    timeUnixNano: '1700000060000000000',
    asInt: String(value),
    ...more,
  };
}
