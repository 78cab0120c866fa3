/**
 * Recognizes failures in words that no other recognizer knows: a complaint about a setting of the pod, and an error
 * that the program doesn't handle.
 */
import { textOf } from '@podscope/trace/explain';
import { origins, secretIn, settingIn } from './places.ts';
import { type ExitCase, lineOf, logs, type Recognized, restartAll, rollBack } from './recognizer.ts';

const bug =
  /NullPointerException|NullReferenceException|ArrayIndexOutOfBounds|IndexOutOfRange|ClassCastException|IllegalStateException|IllegalArgumentException|TypeError:|ReferenceError:|RangeError:|AttributeError:|IndexError:|KeyError:|ZeroDivisionError|AssertionError|UnboundLocalError|ValueError:|NoMethodError|undefined method|undefined local variable|Uncaught (?:TypeError|Error|ArgumentCountError|DivisionByZeroError)|Call to (?:a member function|undefined)|Undefined (?:array key|variable|property|function)|assert(?:ion)?[^\n]{0,20}fail|double free|stack (?:level too deep|overflow)|StackOverflow|Maximum call stack|unreachable code|index out of (?:range|bounds)/i;

/** Returns where an error happened, for example `/app/src/db.js:12`; empty if the text doesn't contain it. */
function placeOf(text: string): string {
  const python = [...text.matchAll(/File "(?<file>[^"]+)", line (?<line>\d+)/g)]
    .map(({ groups }) => `${groups?.['file']}:${groups?.['line']}`)
    .findLast((each) => !/site-packages|\/lib\/python|<frozen/.test(each));
  const own =
    /(?:^|[\s(])(?<place>[\w./@-]+\.(?:js|ts|mjs|cjs|rb|go|rs|cs|java|kt|scala|php|py|ex|exs|cpp|c)(?:[:(]|:in |:line )\d+)/m;
  const frames = text
    .split('\n')
    .filter((line) => !/node_modules|node:internal|java\.base|\/gems\/|vendor\//.test(line));
  return python ?? own.exec(frames.join('\n'))?.groups?.['place']?.replace('(', ':') ?? '';
}

const complaint =
  /unknown|invalid|not found|unsupported|not supported|unexpected|\bbad\b|illegal|no such|pars(?:e|ing)|malformed|required|must|cannot|can't|could not|not a valid|unrecogni[sz]ed|undefined|not (?:allowed|recognized|registered|defined)|incorrect|wrong|mismatch|doesn't exist|does not exist|out of range|missing/i;

const unset =
  /(?<![\w/.-])(?<name>[a-z][\w.-]{2,}) (?:is|was|are|has) (?:not (?:been )?(?:configured|set|specified|provided|defined|given)|required|missing|empty|mandatory)\b|\bno (?<other>[a-z][\w.-]{2,}) (?:was |is |has been )?(?:configured|set|specified|provided|defined|given)\b/i;
/** Words before the verb that aren't the name of a setting. */
const pronouns =
  /^(?:it|this|that|which|value|values|file|files|field|parameter|option|argument|one|they|there|what|connection|error|data|memory|permission|state|command|result|object|version|name|server|response|message|request|type)$/i;

/** Recognizes a complaint about a variable or argument that the template sets, in any wording. */
export function aboutSetting(exit: ExitCase, line: string, text: string): Recognized | undefined {
  const secret = secretIn(
    exit,
    text.split('\n').filter((each) => complaint.test(each)),
  );
  if (secret) {
    const place = `Secret ${secret.secret} (key ${secret.key}, env ${secret.variable})`;
    const all = { ...exit.values, word: secret.variable, place, what: secret.line.trim().slice(0, 300) };
    return {
      title: textOf('runAboutTitle', all),
      cause: [textOf('runAbout', all)],
      next: [
        {
          why: textOf('runAboutSecret', { ...all, name: secret.secret, key: secret.key }),
          command: exit.it.kubectl(`edit secret ${secret.secret}`),
        },
        ...restartAll(exit),
        logs(exit),
      ],
      origin: 'configuration',
    };
  }
  const setting = complaint.test(line) ? settingIn(exit, line) : undefined;
  const name = unset.exec(line)?.groups;
  const word = name?.['name'] ?? name?.['other'];
  if (!setting && word !== undefined && !pronouns.test(word)) {
    const all = { ...exit.values, name: word, what: line };
    return {
      title: textOf('runSettingTitle', all),
      cause: [textOf('runSetting', all), textOf('exitLast', { line })],
      next: [...exit.it.change('runUnsetFix', all), logs(exit)],
      origin: 'configuration',
    };
  }
  if (!setting) return undefined;
  const all = { ...exit.values, ...setting, what: line };
  return {
    title: textOf('runAboutTitle', all),
    cause: [textOf('runAbout', all)],
    next: [...exit.it.change('runAboutFix', all), logs(exit), ...rollBack(exit)],
    origin: 'configuration',
  };
}

/** Recognizes an error that the program doesn't handle. All other recognizers are tried before this one. */
export function unhandled(exit: ExitCase, given: string): Recognized | undefined {
  // The exceptions above the innermost cause only wrap it.
  const text = given.slice(Math.max(0, given.lastIndexOf('Caused by:')));
  if (!bug.test(text)) return undefined;
  const place = placeOf(text);
  const all = { ...exit.values, what: lineOf(text, bug), place };
  return {
    title: textOf('runBugTitle', all),
    cause: [textOf('runBug', all), ...(place === '' ? [] : [textOf('runBugAt', all)]), ...origins(exit, text)],
    next: [logs(exit), ...rollBack(exit), ...exit.it.change('runBugFix', all)],
    origin: 'program',
  };
}
