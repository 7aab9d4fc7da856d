// Risk: letters are decoded by a wrong charset silently, or a script is asked for a certain one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charsetOf } from '../src/formats/charsets.ts';
import { read } from './read.ts';

/** Encodes in a charset with one byte per character. */
function encode(text: string, name: string): Uint8Array<ArrayBuffer> {
  const all = charsetOf(name)?.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)) ?? '';
  return Uint8Array.from(text, (character) => all.indexOf(character));
}

const mt940 = (text: string): string =>
  `:20:X\n:25:1\n:60F:C260901EUR1,\n:61:2609010901C5,NTRF\n:86:${text}\n:62F:C260901EUR6,\n-\n`;
const textOf = async (bytes: Uint8Array<ArrayBuffer>, encoding?: string) => {
  const file = await read(bytes, encoding === undefined ? {} : { encoding });
  return [file.questions.map(({ code }) => code), file.accounts[0]?.transactions[0]?.description];
};

describe('without a declaration', () => {
  test.each([
    'Größe und Maße, Übertrag für Äpfel',
    "Café prépayé à l'hôtel Cœur de l’été",
    'Pão de açúcar, operações',
    'Mañana ¿qué? 5 €, 1/2 m²',
    'Kjøp på Åsen, færge',
    'Perché così, n. 5 “città”',
  ])('Western European text is read as Windows-1252: %s', async (text) => {
    expect(await textOf(encode(mt940(text), 'windows-1252'))).toEqual([[], text]);
  });

  test.each([
    ['windows-1250', 'Opłata ŻABKA Łódź'],
    ['windows-1250', 'Dvořák platební příkaz č. 5 Šimůnek'],
    ['windows-1250', 'Vásárlás főösszeg'],
    ['windows-1251', 'Оплата счета'],
    ['windows-1253', 'Πληρωμή λογαριασμού'],
    ['windows-1254', 'Ödeme için alışveriş ğ'],
    ['windows-1257', 'Pirkšana veikalā ž'],
    ['cp850', 'Größe für Märkte'],
    ['cp852', 'Opłata Łódź'],
  ])('%s is asked for, first or among the choices, and the answer reads it: %s', async (name, text) => {
    const bytes = encode(mt940(text), name);
    const [question] = (await read(bytes)).questions;
    expect(question).toMatchObject({ code: 'encoding', flag: '--encoding NAME' });
    expect(question?.choices.map(({ value }) => value)).toContain(name);
    expect(await textOf(bytes, name)).toEqual([[], text]);
  });

  test('every text is read as it was written in the charset that the answer names', async () => {
    const letters = fc.constantFrom(...Array.from('ąćęłńóśźżĄŁŻčřšžůěíáéäöüßabcXYZ '));
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { minLength: 1, maxLength: 30 }), async (parts) => {
        const text = `x${parts.join('').replaceAll(/ +/g, ' ').trim()}x`;
        for (const name of ['windows-1250', 'cp852']) {
          expect(await textOf(encode(mt940(text), name), name)).toEqual([[], text]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

const xml = (encoding: string, text: string): string =>
  `<?xml version="1.0" encoding="${encoding}"?><Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>1</IBAN></Id></Acct>` +
  `<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-09-01</Dt></BookgDt>` +
  `<AddtlNtryInf>${text}</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`;
const ofx = (header: string, text: string): string =>
  `OFXHEADER:100\n${header}\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>` +
  `<STMTTRN><DTPOSTED>20260901<TRNAMT>1.00<NAME>${text}</STMTTRN></STMTRS></OFX>`;

test.each([
  ['XML', xml('windows-1250', 'Łódź'), 'windows-1250', 'Łódź'],
  ['XML', xml('ISO-8859-2', 'Łódź'), 'iso-8859-2', 'Łódź'],
  ['XML that says ASCII', xml('US-ASCII', 'Café'), 'windows-1252', 'Café'],
  ['OFX', ofx('ENCODING:USASCII\nCHARSET:1251', 'Оплата'), 'windows-1251', 'Оплата'],
  ['OFX', ofx('ENCODING:USASCII\nCHARSET:8859-1', 'Café'), 'windows-1252', 'Café'],
  ['OFX that names none', ofx('ENCODING:USASCII\nCHARSET:NONE', 'Café'), 'windows-1252', 'Café'],
])('the declaration of %s is followed', async (_, file, name, text) => {
  expect(await textOf(encode(file, name))).toEqual([[], text]);
});

test('a file of ASCII letters has the encoding that it declares', async () => {
  const encodingOf = async (file: string) => (await read(new TextEncoder().encode(file))).encoding;
  expect(await encodingOf(xml('UTF-8', 'Rent'))).toBe('utf-8');
  expect(await encodingOf(ofx('ENCODING:USASCII\nCHARSET:1252', 'Rent'))).toBe('windows-1252');
});

test('a declaration that is false is no declaration: UTF-8 is recognised, and another charset is asked for', async () => {
  const bytes = new TextEncoder().encode(xml('ISO-8859-1', 'Łódź'));
  expect(await textOf(bytes)).toEqual([[], 'Łódź']);
  const [question] = (await read(encode(xml('UTF-8', 'Café'), 'windows-1252'))).questions;
  expect(question).toMatchObject({ code: 'encoding' });
  expect(question?.choices[0]).toMatchObject({ value: 'windows-1252', example: 'Café' });
});

test('an encoding that nobody knows is rejected', async () => {
  await expect(read('Date,Amount\n', { encoding: 'klingon' })).rejects.toThrow('the encoding klingon is unknown');
});
