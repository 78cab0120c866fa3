/** Lists the languages of the page. */

/** BCP 47 tags with each language's own name. */
export const languages = { en: 'English', 'zh-CN': '简体中文' } as const;

export type Language = keyof typeof languages;
