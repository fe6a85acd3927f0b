import { Menu } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language } from '../texts/language.ts';

/** Each language in its own words, for those who do not read the other. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The languages as entries of a menu. Another one loads the page again; the tab keeps what was typed. */
export function LanguageItems() {
  const chosen = chosenLanguage();
  return (
    <>
      <Menu.Label>{frameTexts.languages.label}</Menu.Label>
      {[null, ...LANGUAGES].map((language) => (
        <Menu.Item
          key={language}
          leftSection={<IconLanguage size={16} />}
          {...(language === null ? {} : { lang: language })}
          aria-current={language === chosen}
          fw={language === chosen ? 600 : 400}
          onClick={() => {
            chooseLanguage(language);
            location.reload();
          }}
        >
          {language === null ? frameTexts.languages.auto : NAMES[language]}
        </Menu.Item>
      ))}
    </>
  );
}
