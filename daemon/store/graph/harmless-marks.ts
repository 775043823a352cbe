/**
 * Whether a mark, as it is written (`@Override`, `[Flags]`, `#[inline]`), tells compilers, tools and readers something, or
 * changes what the definition does when it is called, and has nobody find it.
 */
export function isHarmless(language: string, mark: string): boolean {
  const name = mark.replace(/^[@#[]+|\]$/g, '');
  const pattern = Object.hasOwn(harmless, language) ? harmless[language] : undefined;
  return pattern?.test(name) === true;
}

/** Names, behind whatever packages. */
function any(words: string): RegExp {
  return new RegExp(`^(?:[\\w$]+[.:\\\\]+)*(?:${words.trim().split(/\s+/).join('|')})$`);
}

function exactly(words: string): RegExp {
  return new RegExp(`^(?:${words.trim().split(/\s+/).join('|')})$`);
}

const ofTheJvm = `
  Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs Target Retention Documented Inherited Repeatable Native
  Nullable NonNull Nonnull NotNull CheckForNull NullMarked NullUnmarked ParametersAreNonnullByDefault
  ParametersAreNullableByDefault NotNullByDefault CheckReturnValue CanIgnoreReturnValue VisibleForTesting Contract
  Immutable ThreadSafe NotThreadSafe GuardedBy Beta Generated Incubating
  Data Getter Setter Builder SuperBuilder Value With ToString EqualsAndHashCode AllArgsConstructor NoArgsConstructor
  RequiredArgsConstructor Slf4j Log Log4j Log4j2 XSlf4j CommonsLog Flogger UtilityClass SneakyThrows Synchronized Accessors
  FieldDefaults FieldNameConstants Delegate StandardException`;

const harmless: Readonly<Record<string, RegExp>> = {
  python:
    /^(?:(?:functools\.)?(?:lru_cache|cache|wraps|total_ordering|cached_property|singledispatch)|(?:dataclasses\.)?dataclass|attrs?\.\w+|staticmethod|classmethod|property|(?:typing|typing_extensions|t|te)\.\w+|overload|final|override|runtime_checkable|no_type_check|(?:abc\.)?abstract\w*|(?:contextlib\.)?(?:async)?contextmanager|(?:enum\.)?(?:unique|verify)|(?:warnings\.)?deprecated)$/,
  java: any(ofTheJvm),
  kotlin:
    any(`${ofTheJvm} Jvm\\w+ Suppress OptIn RequiresOptIn PublishedApi Throws Volatile Transient Strictfp DslMarker
    MustBeDocumented SinceKotlin Stable Composable ReadOnlyComposable NonRestartableComposable Composable\\w+`),
  csharp: any(`Obsolete Serializable Flags EditorBrowsable Debugger\\w* StackTraceHidden MethodImpl CLSCompliant
    ExcludeFromCodeCoverage SuppressMessage UnconditionalSuppressMessage CompilerGenerated GeneratedCode AttributeUsage
    StructLayout InlineArray SkipLocalsInit DoesNotReturn Conditional ThreadStatic Pure Experimental MustUseReturnValue
    Requires\\w+ DynamicallyAccessedMembers DynamicDependency Intrinsic Nullable\\w* NotNull\\w* MaybeNull\\w*
    MemberNotNull\\w* AllowNull DisallowNull CanBeNull ItemNotNull CollectionBuilder OverloadResolutionPriority
    SupportedOSPlatform UnsupportedOSPlatform PreserveBaseOverrides`),
  php: any(
    'Deprecated Override ReturnTypeWillChange SensitiveParameter AllowDynamicProperties Pure NoReturn ArrayShape Attribute',
  ),
  rust: exactly(`inline doc allow expect warn deny forbid must_use cfg cfg_attr derive non_exhaustive cold deprecated track_caller
    repr automatically_derived target_feature optimize instrument tracing::instrument async_trait async_trait::async_trait
    async_recursion macro_use macro_export path rustfmt::skip serde serde_as serde_with::serde_as error command arg clap
    structopt group value strum strum_discriminants derivative educe builder display from diesel sqlx validate schemars
    schema default pin_project pin_project::pin_project rustversion::\\w+ clippy::\\w+ stable unstable
    rustc_const_stable rustc_const_unstable`),
  dart: any(`override immutable internal visibleForTesting visibleForOverriding protected mustCallSuper nonVirtual sealed
    optionalTypeArgs Deprecated deprecated experimental useResult factory literal doNotStore`),
};
