/** Builds the files of a SCORM 1.2 package: the manifest of the package, its launch page, and the lesson. */
import { forLearners, type Lesson } from '@podscope/lessons';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The file name of the launch page. */
const launchPage = 'scorm.html';

const launchHtml = (title: string, language: string): string => `<!doctype html>
<html lang="${escaped(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${escaped(title)}</title>
    <style>
      html, body { height: 100%; margin: 0 }
      podscope-player { height: 100% }
    </style>
  </head>
  <body>
    <podscope-player></podscope-player>
    <script src="podscope-player.js"></script>
    <script src="scorm.js"></script>
  </body>
</html>
`;

/** Returns imsmanifest.xml. It contains one organization with one item, which starts the lesson. */
const scormManifest = ({ id, title }: Pick<Lesson, 'id' | 'title'>, files: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="podscope-${id}" version="1.0"
    xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd
      http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="podscope">
    <organization identifier="podscope">
      <title>${escaped(title)}</title>
      <item identifier="lesson" identifierref="page">
        <title>${escaped(title)}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="${launchPage}">
${files.map((file) => `      <file href="${escaped(file)}" />`).join('\n')}
    </resource>
  </resources>
</manifest>
`;

/** The lesson of a package: the parsed lesson, and the Markdown texts of its files. */
export interface PackagedLesson {
  readonly lesson: Lesson;
  readonly text: string;
  /** The Markdown text of the Chinese translation. */
  readonly translation: string | undefined;
}

/**
 * Returns the text files that a package contains in addition to the site, by path.
 * @param siteFiles paths of the files of the site
 */
export function scormTexts(
  { lesson, text, translation }: PackagedLesson,
  siteFiles: readonly string[],
): ReadonlyMap<string, string> {
  const { title, language, steps } = lesson;
  const content = {
    title,
    text: forLearners(text),
    ...(translation === undefined ? {} : { translation: forLearners(translation) }),
    steps: steps.map(({ id, question }) => ({ id, isQuestion: question !== undefined })),
  };
  const texts = new Map([
    [launchPage, launchHtml(title, language)],
    ['lesson.json', JSON.stringify(content)],
  ]);
  return texts.set('imsmanifest.xml', scormManifest(lesson, [...texts.keys(), ...siteFiles].toSorted()));
}
