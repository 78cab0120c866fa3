/**
 * Recognizes programs that ended because of an environment variable, a flag or a configuration file.
 */
import { textOf } from '@podscope/trace/explain';
import { type ExitCase, plain, type Recognized, type Recognizer } from './recognizer.ts';

const variable = (exit: ExitCase, name: string): Recognized => {
  const { it, container, values } = exit;
  const isSet = (container.spec.env ?? []).some((each) => each.name === name);
  const all = { ...values, name };
  return {
    title: textOf('runEnvTitle', all),
    cause: [textOf(isSet ? 'runEnvBad' : 'runEnv', all)],
    next: [
      ...it.set('runEnvFix', all, (ref) => `env ${ref} -c ${container.name} ${name}=VALUE`),
      { why: textOf('runEnvSecret', all), command: it.kubectl('get secrets,configmaps') },
    ],
    origin: 'configuration',
  };
};

/** The recognizers for variables, then for flags and files. The first one that matches decides. */
export const settingCauses: readonly Recognizer[] = [
  [
    /(?:the following (?:required )?arguments (?:are required|were not provided):\s*|required (?:flag|option|argument)(?:\(s\)|s)?:? |Missing (?:required )?(?:option|argument|flag|parameter)s?:? )["'`]?(?<flags>-{1,2}[a-zA-Z][^\n"'`]*)/i,
    ({ it, values }, { flags = '' }) => {
      const all = { ...values, flags: flags.replace(/\s*(?:not set|is required|<[^>]*>).*$/i, '').trim() };
      return {
        title: textOf('runFlagsTitle', all),
        cause: [textOf('runFlags', all)],
        next: it.change('runFlagsFix', all),
        origin: 'configuration',
      };
    },
  ],
  [/Failed to configure a DataSource: 'url' attribute/, (exit) => variable(exit, 'SPRING_DATASOURCE_URL')],
  [
    /The ConnectionString property has not been initialized|No connection string named '(?<name>[^']+)'|[Cc]onnection string ['"](?<other>[\w.-]+)['"] (?:is |was )?(?:not found|not configured|missing|null|empty)|(?:Parameter name:|Parameter) '?connectionString/,
    (exit, { name, other }) => {
      const all = { ...exit.values, name: name ?? other ?? 'NAME' };
      return {
        title: textOf('runConnectionTitle', all),
        cause: [textOf('runConnection', all)],
        next: [
          ...exit.it.change('runConnectionFix', all),
          { why: textOf('runEnvSecret', all), command: exit.it.kubectl('get secrets,configmaps') },
        ],
        origin: 'configuration',
      };
    },
  ],
  [
    // Most servers name file and line of the first wrong entry, and then repeat that the file can't be loaded.
    /(?<what>^[^\n]*(?:\.(?:conf|cfg|ini|ya?ml|toml|json|xml|properties|cnf|hcl|rules)|config\w*)['"]?(?::\d+|[^\n]{0,20}\bline \d+)[^\n]*(?:unknown|unrecognized|unexpected|invalid|duplicate|not allowed|is not supported|syntax error)[^\n]*)/im,
    plain('runConfig'),
  ],
  [/APPLICATION FAILED TO START\s[\s*]*Description:\s*(?<what>\S[^\n]*)/, plain('runConfig')],
  [
    /(?<what>[^\n]*(?:doesn't exist|does not exist|unknown|invalid|not found)[^\n]*)\n[^\n]*config(?:uration)?(?: file)? (?:contains errors|is invalid|test failed)/i,
    plain('runConfig'),
  ],
  [
    /(?:must|need to|have to|please) (?:specify|set|provide|define|configure|supply)[^\n]{0,60}?\b(?<name>[A-Z][A-Z0-9]*_[A-Z0-9_]+)|(?:specify|set|provide) one of the following[^\n]*\n[\s-]*(?<first>[A-Z][A-Z0-9_]{3,})/,
    (exit, { name, first }) => variable(exit, name ?? first ?? ''),
  ],
  [
    /os\.environ\[["'](?<name>\w+)["']\]|KeyError: '(?<key>[A-Z][A-Z0-9_]{2,})'/,
    (exit, { name, key }) => variable(exit, name ?? key ?? ''),
  ],
  [
    /(?:environment variable|env(?:ironment)? var|variable|env:?) ["'`$]*(?<name>[A-Z][A-Z0-9_]{2,})["'`]*(?: (?:is )?(?:not (?:set|found|defined|present)|required|missing|unset|must be set|empty)|: (?:parameter not set|unbound variable|NotPresent))/i,
    (exit, { name = '' }) => variable(exit, name),
  ],
  [
    /(?:missing|required|undefined|unset)[^\n]{0,40}?(?:environment variables?|env(?:ironment)? vars?|variables?|configuration|key):? ["'`$]*(?<name>[A-Z][A-Z0-9_]{2,})|(?<other>[A-Z][A-Z0-9_]{2,})["'`]? (?:environment variable )?(?:is not set|must be set|is required|is not defined|not set|is missing|cannot be empty)|required key (?<key>[A-Z][A-Z0-9_]{2,}) missing value|(?<shell>[A-Z][A-Z0-9_]{2,}): (?:parameter not set|unbound variable|parameter null or not set)/,
    (exit, { name, other, key, shell }) => variable(exit, name ?? other ?? key ?? shell ?? ''),
  ],
  [
    /(?:Missing\w*(?:Var|Env)\w*|EnvVar(?:NotFound|NotPresent|Missing)\w*|VarError)\W{1,4}(?<name>[A-Z][A-Z0-9_]{2,})|(?<other>[A-Z][A-Z0-9]*_[A-Z0-9_]+)\W[^\n]{0,20}NotPresent/,
    (exit, { name, other }) => variable(exit, name ?? other ?? ''),
  ],
  [
    /ZodError[\s\S]*?"path": \[\s*"(?<zod>[A-Z][A-Z0-9_]+)"|validation errors? for \w*(?:[Ss]ettings|[Cc]onfig)\w*\n(?<pydantic>\w+)\n\s+[Ff]ield required/,
    (exit, { zod, pydantic = '' }) => variable(exit, zod ?? pydantic.toUpperCase()),
  ],
  [/Could not resolve placeholder '(?<name>[^']+)'/, (exit, { name = '' }) => variable(exit, name)],
  [
    /(?<what>(?:unknown|unrecognized|invalid|illegal|flag provided but not defined:?) (?:VM option|flag|option|argument|shorthand flag|configuration (?:key|option|parameter|directive)|directive|key|command(?: line)?(?: option)?|field|variable ['"`])[^\n]*|plugin\/\w+: [^\n]*|field not found, node: [^\n]*|flag provided but not defined: \S+|unknown (?:long )?(?:flag|option)[^\n]*|unrecognized arguments?:[^\n]*|unknown directive[^\n]*|unexpected argument[^\n]*)/i,
    plain('runConfig'),
  ],
  [
    /(?<what>(?:yaml|toml|json|config(?:uration)?)[^\n]{0,60}(?:line \d+|parse error|syntax error|unmarshal|invalid|unexpected|could not be parsed|failed to (?:load|parse|read))[^\n]*|(?:error|failed|unable|could not|cannot)[^\n]{0,30}(?:loading|load|parsing|parse|reading|read)[^\n]{0,30}config[^\n]*|YAMLException[^\n]*|ScannerError[^\n]*|BeanCreationException[^\n]*|APPLICATION FAILED TO START[\s\S]{0,200}|syntax error[^\n]*)/i,
    (exit, groups, all) =>
      /no such file|not found: \/|does not exist/i.test(groups['what'] ?? '') && /(\/[\w./-]+): no such file/.test(all)
        ? undefined
        : plain('runConfig')(exit, groups, all),
  ],
];
