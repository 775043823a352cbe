import type { Value } from '../values.ts';

/** Something of Ruby itself or of its standard library. */
export function libraryOf(name: string): Value {
  return { kind: 'external', manager: 'std', package: 'ruby', name };
}

/** The gem that by custom has a module of that name. */
export function gemNamed(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
}

/** Classes of gems that a class of one is built on, the nearest first. */
export function builtOn(name: string): readonly string[] {
  const found: string[] = [];
  for (let at = bases.get(name); at !== undefined; at = bases.get(at)) found.push(at);
  return found;
}

/** Of Rails: what applications and their tests are built on, and open. */
const bases: ReadonlyMap<string, string> = new Map([
  ...`ActionCable.Channel.TestCase ActionCable.Connection.TestCase ActionCable.TestCase ActionController.TestCase
  ActionDispatch.IntegrationTest ActionDispatch.SystemTestCase ActionMailbox.TestCase ActionMailer.TestCase
  ActionView.TestCase ActiveJob.TestCase Rails.Generators.TestCase`
    .split(/\s+/)
    .map(one => [one, 'ActiveSupport.TestCase'] as const),
  ['ActiveSupport.TestCase', 'Minitest.Test'],
  ['ActionController.API', 'ActionController.Metal'],
  ['ActionController.Base', 'ActionController.Metal'],
  ['ActionController.Metal', 'AbstractController.Base'],
  ['ActionMailer.Base', 'AbstractController.Base'],
]);

/** A method that every object, every class, or the file's own `self` has. */
export function libraryMethod(name: string, of: 'object' | 'class' | 'top'): Value | undefined {
  if (of === 'class' && ofModule.has(name)) return libraryOf(`Module.${name}`);
  if (ofKernel.has(name)) return libraryOf(`Kernel.${name}`);
  if (of === 'top' && /^(?:include|using|public|private|define_method)$/.test(name)) return libraryOf(`main.${name}`);
  return ofObject.has(name) ? libraryOf(`Object.${name}`) : undefined;
}

export function isPredefinedVariable(name: string): boolean {
  return /^\$(?:[^A-Za-z_].*|_|-\w|stdout|stderr|stdin|PROGRAM_NAME|LOAD_PATH|LOADED_FEATURES|VERBOSE|DEBUG|FILENAME)$/.test(
    name,
  );
}

export function isStandardLibrary(name: string): boolean {
  return standardLibraries.has(name);
}

const standardLibraries: ReadonlySet<string> = new Set(
  `abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb English erb etc expect fcntl fiber
  fiddle fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest mkmf monitor mutex_m net nkf
  objspace observer open-uri open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rdoc
  readline reline resolv ripper rinda rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile
  thread time timeout tmpdir tracer tsort un unicode_normalize uri weakref webrick yaml zlib`.split(/\s+/),
);

/** Classes, modules and constants of the language and its standard library. */
export const standardConstants: ReadonlySet<string> = new Set(
  `ARGF ARGV Array ArgumentError Base64 BasicObject BasicSocket Benchmark BigDecimal Binding CGI CSV Class
  ClosedQueueError Comparable Complex ConditionVariable Coverage DATA Data Date DateTime DelegateClass Delegator
  SimpleDelegator Dir Digest DRb ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno Etc Exception FalseClass
  Fcntl Fiber FiberError File FileTest FileUtils Find Float FloatDomainError Forwardable SingleForwardable FrozenError GC
  Gem Hash IO IOError IPAddr IPSocket IndexError Integer Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger
  Marshal MatchData Math Matrix Method Module Monitor MonitorMixin Mutex NameError Net NilClass NoMatchingPatternError
  NoMatchingPatternKeyError NoMemoryError NoMethodError NotImplementedError Numeric Object ObjectSpace Observable Open3
  OpenSSL OpenStruct OptionParser PP PStore PTY Pathname Proc Process Psych Queue RUBY_COPYRIGHT RUBY_DESCRIPTION
  RUBY_ENGINE RUBY_ENGINE_VERSION RUBY_PATCHLEVEL RUBY_PLATFORM RUBY_RELEASE_DATE RUBY_REVISION RUBY_VERSION Ractor
  Random Range RangeError Rational RbConfig Readline Refinement Regexp RegexpError Reline Resolv Ripper RubyVM
  RuntimeError STDERR STDIN STDOUT ScriptError SecureRandom SecurityError Set Shellwords Signal SignalException Singleton
  SizedQueue Socket SocketError StandardError StopIteration String StringIO StringScanner Struct Symbol SyntaxError
  SystemCallError SystemExit SystemStackError TCPServer TCPSocket TOPLEVEL_BINDING TSort Tempfile Thread ThreadError
  ThreadGroup Time Timeout TracePoint TrueClass TypeError UDPSocket UNIXServer UNIXSocket URI UnboundMethod
  UncaughtThrowError Warning WeakRef YAML ZeroDivisionError Zlib`.split(/\s+/),
);

const ofKernel: ReadonlySet<string> = new Set(
  `Array Complex Float Hash Integer Rational String URI __callee__ __dir__ __method__ abort at_exit autoload autoload?
  binding block_given? caller caller_locations catch eval exec exit exit! fail fork format gets global_variables lambda load
  local_variables loop open p pp print printf proc putc puts raise rand readline readlines require require_relative select
  set_trace_func sleep spawn sprintf srand syscall system test throw trap warn gem`.split(/\s+/),
);

const ofObject: ReadonlySet<string> = new Set(
  `! != !~ == === =~ <=> __id__ __send__ class clone define_singleton_method display dup enum_for eql? equal? extend freeze
  frozen? hash inspect instance_eval instance_exec instance_of? instance_variable_defined? instance_variable_get
  instance_variable_set instance_variable_names instance_variables is_a? itself kind_of? method methods nil? object_id
  private_methods protected_methods public_method public_methods public_send remove_instance_variable respond_to?
  respond_to_missing? send singleton_class singleton_method singleton_methods tap then to_enum to_s yield_self
  method_missing`.split(/\s+/),
);

/** Of the library's values; of a receiver that nobody knows they tell nothing unless nobody else has such a method. */
export const ofValues: ReadonlySet<string> = new Set(
  `[] []= << + - * / % & | all? any? append at between? bytes bytesize call capitalize casecmp? ceil chars chomp chop chr
  clear close closed? coerce collect combination compact compact! compare_by_identity concat count cover? cycle day
  default delete delete! delete_at delete_if detect dig div downcase downcase! drop drop_while each each_byte each_char
  each_cons each_entry each_index each_key each_line each_pair each_slice each_value each_with_index each_with_object
  empty? encode encoding end_with? entries eof? even? exist? exists? expand_path extname fdiv fetch fill filter
  filter_map find find_all find_index first flat_map flatten flatten! floor flush force_encoding gmtime group_by gsub
  gsub! has_key? has_value? hex hour include? index inject insert intern invert join keep_if key key? keys last length
  lines ljust lstrip map map! match match? max max_by member? merge merge! message min min_by minmax minute mktime month
  nil? none? now odd? one? ord pack parse partition pop positive? prepend push read reduce reject reject! reverse
  reverse_each rewind rindex rjust rotate round rstrip sample scan select select! shift shuffle size slice slice! sort
  sort! sort_by sort_by! split squeeze start_with? step store strftime strip strip! sub sub! sum swapcase take
  take_while tally times to_a to_f to_h to_hash to_i to_int to_path to_proc to_r to_str to_sym to_time tr transform_keys
  transform_values transpose truncate union uniq uniq! unpack unpack1 unshift upcase upcase! update upto utc valid_encoding?
  value? values values_at write year zero? zip backtrace full_message cause captures named_captures pre_match post_match
  basename dirname begin end arity curry parameters source_location owner unbind bind`.split(/\s+/),
);

/** What loggers, requests, responses, records, mocks and threads of many libraries have: of a receiver that nobody knows they tell nothing. */
export const ofManyGems: ReadonlySet<string> = new Set(
  `debug info warn error fatal unknown level status code body headers header params session cookies env path url uri host
  port scheme query method accept request response get post put patch head options trace content_type
  content_length user_agent referer ip ok? success? redirect? successful? status_code with without and_return and_raise
  and_yield and_call_original and_wrap_original once twice thrice times exactly at_least at_most never ordered by from in of
  on where not save save! create create! update! destroy destroy! reload attributes errors valid? invalid? persisted?
  new_record? id type start stop run running? alive? wait signal broadcast synchronize lock unlock locked? try_lock
  try_acquire shutdown kill wakeup priority value value! result execute exec perform call! up down version user password
  username size= data title label text html css xpath find_by visit click raw source target stdout stderr
  stdin puts print printf write_nonblock read_nonblock wait_readable wait_writable sysread syswrite accept_nonblock peeraddr
  addr verify subject issuer extensions connect connected? disconnect transaction commit rollback exec_params
  async_exec use match? tag info? debug? warn? error? config configure setup before after wrap name new to_json to_xml
  to_yaml to_html blank? present? first second each`.split(/\s+/),
);

/** By custom RSpec's files are called so. */
export function isOfRspec(path: string): boolean {
  return /_spec\.rb$|(?:^|\/)spec\//.test(path);
}

/** Tests, as opposed to what helps them. */
export function holdsTests(path: string): boolean {
  return /(?:_(?:spec|test)|\/(?:test|spec)_(?!helper)[^/]+)\.rb$/.test(path);
}

/** What test files call without saying of whom. */
export function testMethod(name: string, path: string): Value | undefined {
  const word = testWord(name, path);
  if (word !== undefined) return word;
  if (ofRspec.has(name) || /^be_[a-z_]+$/.test(name)) return ofGem('rspec', name);
  return /^(?:assert|refute)(?:_[a-z_]+)?$|^(?:setup|teardown|should|flunk)$/.test(name)
    ? ofGem('minitest', name)
    : undefined;
}

/** What groups of examples are written with. */
export function testWord(name: string, path: string): Value | undefined {
  if (ofBoth.has(name)) return ofGem(isOfRspec(path) ? 'rspec' : 'minitest', name);
  return isOfRspec(path) && ofRspec.has(name) ? ofGem('rspec', name) : undefined;
}

/** What testing libraries add to every object, or to what their own methods give. */
export function testMember(name: string): Value | undefined {
  if (/^(?:to|not_to|to_not)$/.test(name)) return ofGem('rspec', name);
  return /^(?:must|wont)_[a-z_]+$/.test(name) ? ofGem('minitest', name) : undefined;
}

function ofGem(gem: string, name: string): Value {
  return { kind: 'external', manager: 'gem', package: gem, name };
}

const ofBoth: ReadonlySet<string> = new Set('describe it before after let specify subject context'.split(' '));

const ofRspec: ReadonlySet<string> = new Set(
  `expect eq eql equal be_nil be_truthy be_falsey be_a be_an be be_between raise_error change contain_exactly match_array
  receive have_received allow double instance_double class_double spy let! shared_examples shared_examples_for
  shared_context include_examples include_context it_behaves_like it_should_behave_like around pending skip xit fit
  fdescribe fcontext xdescribe respond_to have_key satisfy yield_control yield_with_args start_with end_with
  a_kind_of an_instance_of anything hash_including array_including have_attributes throw_symbol output expect_any_instance_of
  allow_any_instance_of described_class is_expected aggregate_failures example stub_const`.split(/\s+/),
);

const ofModule: ReadonlySet<string> = new Set(
  `< <= > >= alias_method allocate ancestors attr attr_accessor attr_reader attr_writer class_eval class_exec
  class_variable_defined? class_variable_get class_variable_set class_variables const_defined? const_get const_missing
  const_set const_source_location constants define_method deprecate_constant extended include include? included
  included_modules inherited instance_method instance_methods method_added method_defined? module_eval module_exec
  module_function name prepend prepended private private_class_method private_constant private_instance_methods
  private_method_defined? protected protected_instance_methods protected_method_defined? public public_class_method
  public_constant public_instance_method public_instance_methods public_method_defined? refine remove_class_variable
  remove_const remove_method ruby2_keywords singleton_class? subclasses superclass undef_method using`.split(/\s+/),
);
