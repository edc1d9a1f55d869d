package stdlib

// known lists, per module, public names of CPython 3.11 that this library
// does not have. A world that uses one is refused at load; see docs/python.md.
// Written by: go test ./internal/py/stdlib -run TestKnown -update-known
var known = map[string][]string{
	"__future__": {
		"CO_FUTURE_ABSOLUTE_IMPORT", "CO_FUTURE_ANNOTATIONS", "CO_FUTURE_BARRY_AS_BDFL", "CO_FUTURE_DIVISION", "CO_FUTURE_GENERATOR_STOP", "CO_FUTURE_PRINT_FUNCTION",
		"CO_FUTURE_UNICODE_LITERALS", "CO_FUTURE_WITH_STATEMENT", "CO_GENERATOR_ALLOWED", "CO_NESTED", "all_feature_names",
	},
	"abc": {
		"get_cache_token", "update_abstractmethods",
	},
	"ast": {
		"AST", "Add", "And", "AnnAssign", "Assert", "Assign",
		"AsyncFor", "AsyncFunctionDef", "AsyncWith", "Attribute", "AugAssign", "AugLoad",
		"AugStore", "Await", "BinOp", "BitAnd", "BitOr", "BitXor",
		"BoolOp", "Break", "Bytes", "Call", "ClassDef", "Compare",
		"Constant", "Continue", "Del", "Delete", "Dict", "DictComp",
		"Div", "Ellipsis", "Eq", "ExceptHandler", "Expr", "Expression",
		"ExtSlice", "FloorDiv", "For", "FormattedValue", "FunctionDef", "FunctionType",
		"GeneratorExp", "Global", "Gt", "GtE", "If", "IfExp",
		"Import", "ImportFrom", "In", "Index", "IntEnum", "Interactive",
		"Invert", "Is", "IsNot", "JoinedStr", "LShift", "Lambda",
		"List", "ListComp", "Load", "Lt", "LtE", "MatMult",
		"Match", "MatchAs", "MatchClass", "MatchMapping", "MatchOr", "MatchSequence",
		"MatchSingleton", "MatchStar", "MatchValue", "Mod", "Module", "Mult",
		"Name", "NameConstant", "NamedExpr", "NodeTransformer", "NodeVisitor", "Nonlocal",
		"Not", "NotEq", "NotIn", "Num", "Or", "Param",
		"Pass", "Pow", "PyCF_ALLOW_TOP_LEVEL_AWAIT", "PyCF_ONLY_AST", "PyCF_TYPE_COMMENTS", "RShift",
		"Raise", "Return", "Set", "SetComp", "Slice", "Starred",
		"Store", "Str", "Sub", "Subscript", "Suite", "Try",
		"TryStar", "Tuple", "TypeIgnore", "UAdd", "USub", "UnaryOp",
		"While", "With", "Yield", "YieldFrom", "alias", "arg",
		"arguments", "auto", "boolop", "cmpop", "comprehension", "contextmanager",
		"copy_location", "dump", "excepthandler", "expr", "expr_context", "fix_missing_locations",
		"get_docstring", "get_source_segment", "increment_lineno", "iter_child_nodes", "iter_fields", "keyword",
		"main", "match_case", "mod", "nullcontext", "operator", "parse",
		"pattern", "slice", "stmt", "type_ignore", "unaryop", "unparse",
		"walk", "withitem",
	},
	"base64": {
		"MAXBINSIZE", "MAXLINESIZE", "a85decode", "a85encode", "b32hexdecode", "b32hexencode",
		"b85decode", "b85encode", "bytes_types", "decode", "decodebytes", "encode",
		"encodebytes", "main", "test",
	},
	"collections": {
		"UserString",
	},
	"collections.abc": {
		"AsyncGenerator",
	},
	"contextlib": {
		"AbstractAsyncContextManager", "AsyncContextDecorator", "AsyncExitStack", "ContextDecorator", "GenericAlias", "MethodType",
		"aclosing", "asynccontextmanager", "chdir", "deque", "redirect_stderr", "redirect_stdout",
		"wraps",
	},
	"copy": {
		"dispatch_table",
	},
	"dataclasses": {
		"FunctionType", "GenericAlias",
	},
	"datetime": {
		"datetime_CAPI",
	},
	"enum": {
		"CONTINUOUS", "DynamicClassAttribute", "EnumCheck", "MappingProxyType", "NAMED_FLAGS", "UNIQUE",
		"bin", "global_enum", "global_enum_repr", "global_flag_repr", "global_str", "pickle_by_enum_name",
		"pickle_by_global_name", "reduce", "show_flag_values", "verify",
	},
	"fractions": {
		"Decimal",
	},
	"functools": {
		"GenericAlias", "RLock", "get_cache_token", "namedtuple", "recursive_repr",
	},
	"hashlib": {
		"algorithms_guaranteed", "blake2b", "blake2s", "file_digest", "pbkdf2_hmac", "scrypt",
		"shake_128", "shake_256",
	},
	"json": {
		"detect_encoding", "dump", "load",
	},
	"random": {
		"BPF", "LOG4", "NV_MAGICCONST", "RECIP_BPF", "SG_MAGICCONST", "SystemRandom",
		"TWOPI",
	},
	"re": {
		"Scanner", "template",
	},
	"statistics": {
		"Counter", "Decimal", "Fraction", "bisect_left", "bisect_right", "defaultdict",
		"erf", "exp", "fabs", "fsum", "groupby", "hypot",
		"log", "mul", "namedtuple", "reduce", "repeat", "sqrt",
		"tau",
	},
	"string": {
		"Formatter",
	},
	"sys": {
		"abiflags", "addaudithook", "api_version", "argv", "audit", "base_exec_prefix",
		"base_prefix", "breakpointhook", "builtin_module_names", "call_tracing", "copyright", "displayhook",
		"dont_write_bytecode", "exc_info", "excepthook", "exception", "exec_prefix", "executable",
		"exit", "flags", "get_asyncgen_hooks", "get_coroutine_origin_tracking_depth", "get_int_max_str_digits", "getallocatedblocks",
		"getdlopenflags", "getfilesystemencodeerrors", "getfilesystemencoding", "getprofile", "getrefcount", "getsizeof",
		"getswitchinterval", "gettrace", "hash_info", "implementation", "int_info", "is_finalizing",
		"meta_path", "orig_argv", "path", "path_hooks", "path_importer_cache", "platlibdir",
		"prefix", "pycache_prefix", "set_asyncgen_hooks", "set_coroutine_origin_tracking_depth", "set_int_max_str_digits", "setdlopenflags",
		"setprofile", "setrecursionlimit", "setswitchinterval", "settrace", "stderr", "stdin",
		"stdlib_module_names", "thread_info", "unraisablehook", "warnoptions",
	},
	"time": {
		"CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_REALTIME", "CLOCK_TAI",
		"CLOCK_THREAD_CPUTIME_ID", "clock_getres", "clock_gettime", "clock_gettime_ns", "clock_settime", "clock_settime_ns",
		"get_clock_info", "pthread_getcpuclockid", "tzset",
	},
	"types": {
		"AsyncGeneratorType", "ClassMethodDescriptorType", "CodeType", "CoroutineType", "FrameType", "MemberDescriptorType",
		"MethodWrapperType", "TracebackType", "WrapperDescriptorType", "coroutine", "prepare_class", "resolve_bases",
	},
	"typing": {
		"ABCMeta", "AsyncContextManager", "AsyncGenerator", "BinaryIO", "CT_co", "EXCLUDED_ATTRIBUTES",
		"GenericAlias", "IO", "KT", "MethodDescriptorType", "MethodWrapperType", "NamedTupleMeta",
		"ParamSpecArgs", "ParamSpecKwargs", "SupportsComplex", "T", "T_co", "T_contra",
		"TextIO", "TypeVarTuple", "VT", "VT_co", "V_co", "WrapperDescriptorType",
		"abstractmethod", "clear_overloads", "dataclass_transform", "defaultdict", "get_overloads", "io",
		"no_type_check_decorator", "re", "reveal_type",
	},
	"unicodedata": {
		"UCD", "decomposition", "ucd_3_2_0",
	},
	"uuid": {
		"Enum", "SafeUUID", "bytes_", "int_",
	},
}
