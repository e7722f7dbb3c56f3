import { english } from './english';
import { loadCatalogue } from './languages';
import { renderFurtherCondition, textIn } from './furtherCondition';

const condition = {
  reason: 'Failed',
  params: {},
  message: '3 checks failed.',
  sentences: { en: '3 checks failed.', ca: 'Han fallat 3 comprovacions.' },
};

describe('the sentence of a further condition', () => {
  it("is the module's own in the reader's language, else in English", async () => {
    const options = async (language: string) => ({
      catalogue: await loadCatalogue(language),
    });
    expect(renderFurtherCondition(condition, await options('ca'))).toBe(
      'Han fallat 3 comprovacions.',
    );
    expect(renderFurtherCondition(condition, await options('fr'))).toBe(
      '3 checks failed.',
    );
  });

  it('is one that every condition shares while its source cannot be read', async () => {
    const unknown = {
      reason: 'SourceUnavailable',
      params: { source: 'extension:quality-gate' },
      message: 'of the backend',
    };
    expect(renderFurtherCondition(unknown, { catalogue: english })).toMatch(
      /^quality-gate does not answer/,
    );
    expect(
      renderFurtherCondition(unknown, { catalogue: await loadCatalogue('es') }),
    ).toMatch(/^quality-gate /);
  });

  it('is the message where this version knows no better', () => {
    expect(
      renderFurtherCondition(
        { reason: 'FromTheFuture', params: {}, message: 'A message.' },
        { catalogue: english },
      ),
    ).toBe('A message.');
  });
});

describe('textIn', () => {
  it('falls back to English', () => {
    expect(textIn({ en: 'Gate', es: 'Puerta' }, 'es')).toBe('Puerta');
    expect(textIn({ en: 'Gate' }, 'fr')).toBe('Gate');
  });
});
