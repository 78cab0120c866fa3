/** Lists the pages of docs/reference that are generated from code. */
import { commandsDocument } from './commands-document.ts';
import { eventsDocument } from './events-document.ts';
import { glossaryDocument } from './glossary-document.ts';
import { lessonsDocument } from './lessons-document.ts';
import { metricsDocument } from './metrics-document.ts';
import { optionsDocument } from './options-document.ts';
import { pointsDocument } from './points-document.ts';
import { protocolDocument } from './protocol-document.ts';
import { rulesDocument } from './rules-document.ts';

/** The generators of the pages, by path. */
export const referenceDocuments = new Map<string, () => string | Promise<string>>([
  ['docs/reference/commands.md', commandsDocument],
  ['docs/reference/options.md', optionsDocument],
  ['docs/reference/points.md', pointsDocument],
  ['docs/reference/metrics.md', metricsDocument],
  ['docs/reference/protocol.md', protocolDocument],
  ['docs/reference/rules.md', rulesDocument],
  ['docs/reference/events.md', eventsDocument],
  ['docs/reference/glossary.md', glossaryDocument],
  ['docs/reference/lessons.md', lessonsDocument],
]);
