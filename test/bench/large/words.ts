/** What made-up names are put together from; nouns and roles begin with a capital, verbs don't. */
export const nouns: readonly string[] =
  `Size Name State Index Value Count Key Type Path Node Line Text Event Session Account Order Item User Token Cache Page
  Report Field Query Record Stream Buffer Branch Budget Bundle Button Calendar Cargo Catalog Channel Chapter Charge
  Chart Circle City Claim Client Cluster Code Column Comment Commit Company Contact Content Context Contract
  Country Coupon Course Credit Currency Cursor Customer Dashboard Database Dataset Deal Debt Delivery Demand
  Deposit Device Diagram Digest Dispute Document Domain Draft Driver Edge Email Employee Endpoint Engine Entity Entry
  Environment Estimate Exchange Expense Factor Failure Feature Fee Feed File Filter Flag Flight Folder Font
  Forecast Form Format Frame Freight Fund Gallery Gateway Gauge Goal Graph Grid Group Guard Guest Header Health History
  Holiday Host Hour House Icon Image Incident Income Input Insight Invoice Island Issue Job Journal Label Lane
  Language Layer Layout Lead Leaf Ledger Lesson Letter Level Library License Limit Link List Loan Location Lock Log
  Machine Mail Manifest Margin Market Match Material Matrix Measure Media Meeting Member Memory Menu Merchant Message
  Metric Mile Minute Mode Model Module Month Motion Network Note Notice Offer Office Option Origin Output
  Owner Panel Parcel Parent Part Partner Party Password Patch Pattern Payment Payroll Peer Penalty Period Permit
  Person Phase Phone Photo Picture Plan Platform Player Point Policy Pool Port Position Post Price Printer Priority
  Process Product Profile Profit Program Project Promise Proof Property Proxy Purchase Quarter Question Queue Quota Quote
  Range Rate Ratio Receipt Recipe Reference Refund Region Relay Release Remark Rental Reply Request Reserve Resource
  Response Result Review Reward Risk Role Room Root Route Row Rule Salary Sample Scale Schedule Schema Scope Score
  Screen Script Season Seat Section Segment Sensor Series Server Setting Shape Share Sheet Shift Shipment Signal Site
  Slot Snapshot Socket Source Space Speed Stage Stamp Station Status Step Stock Store Street Style Subject Summary Supply
  Survey System Table Tag Target Task Tax Team Template Tenant Term Test Theme Thread Ticket Tier Time Title Topic
  Total Track Trade Traffic Train Transfer Trial Trip Truck Trust Unit Update Upload Usage Vehicle Vendor Version Video
  View Visit Voice Volume Vote Voucher Wage Wallet Warehouse Warning Watch Weather Week Weight Window Word Worker Year
  Zone`.split(/\s+/);

export const verbs: readonly string[] =
  `get set run apply close create update read write find load open parse send add remove build check make resolve start
  stop handle render validate format reset merge split count sort filter map join copy clear init flush notify register
  emit fetch store sync track bind convert decode encode collect compare compute connect deliver derive describe detect
  dispatch enqueue ensure estimate evaluate expand expire extract inspect issue lock log match measure
  migrate move normalize observe pack pause persist plan poll prepare process publish pull push queue rank receive
  record reduce refresh reject release rename repeat replace report request restore resume retry revoke rotate save scan
  schedule score seal search select settle sign skip submit suspend swap test trace transfer trim unlock verify visit
  watch wrap`.split(/\s+/);

export const roles: readonly string[] =
  `Service Manager Options Store Reader Writer Builder Factory Handler Provider Client Config Context Registry Cache
  Adapter Parser Formatter Validator Resolver Controller Repository Monitor Tracker Scheduler Queue Pool Session Policy
  Filter Mapper Loader Encoder Decoder Visitor Walker Planner Broker Gateway Guard Router Sink Source Probe Summary
  View Table Ledger Entry Record Batch`.split(/\s+/);
