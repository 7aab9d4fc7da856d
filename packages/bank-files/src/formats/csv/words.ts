import type { CsvMapping } from './mapping.ts';
import { fold } from './names.ts';

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(', '));

const moneyOut = setOf(
  'debit, debits, dr, d, db, deb, dbit, debet, debito, af, soll, s, out, withdrawal, lastschrift, belastung, cargo, debe, ' +
    'addebito, dare, money out, outgoing, obciazenie, расход',
);
const moneyIn = setOf(
  'credit, credits, cr, c, cred, crdt, kredit, k, credito, bij, haben, h, in, deposit, gutschrift, abono, haber, ' +
    'accredito, avere, money in, incoming, uznanie, приход',
);
const booked = setOf(
  'booked, posted, completed, complete, cleared, settled, success, successful, succeeded, done, paid, executed, processed, ' +
    'final, finished, ok, gebucht, verbucht, abgeschlossen, ausgefuhrt, erledigt, comptabilise, effectue, termine, ' +
    'execute, contabilizado, contabilizada, ejecutado, completado, completada, finalizado, contabilizzato, eseguito, ' +
    'completato, geboekt, uitgevoerd, verwerkt, concluido, efetuado, zaksiegowana, zaksiegowano, zrealizowana, wykonana, ' +
    'bokford, bokfort, bogfort, udfort, umsatz gebucht, исполнен, проведено',
);
const unbooked = setOf(
  'pending, authorised, authorized, authorisation, authorization, hold, on hold, processing, in progress, scheduled, ' +
    'reverted, declined, failed, cancelled, canceled, rejected, expired, voided, denied, refused, blocked, ' +
    'vorgemerkt, ausstehend, in bearbeitung, abgelehnt, en attente, en cours, refuse, annule, pendiente, rechazado, ' +
    'rechazada, cancelado, cancelada, in attesa, rifiutato, annullato, in behandeling, gereserveerd, geweigerd, geannuleerd, ' +
    'pendente, oczekujaca, oczekuje, odrzucona, anulowana, reserverad, reserverat, reserveret, reservert, ' +
    'venter, umsatz vorgemerkt',
);

type Words = CsvMapping['words'];

function given(words: Words, text: string): string | undefined {
  return words !== undefined && Object.hasOwn(words, text) ? words[text] : undefined;
}

/** −1 for money out, 1 for money in, undefined for an unknown word. */
export function readDirection(text: string, words?: Words): 1 | -1 | undefined {
  const meaning = given(words, text);
  if (meaning === 'in' || text === '+') return 1;
  if (meaning === 'out' || text === '-' || text === '\u2212') return -1;
  const word = fold(text);
  return moneyOut.has(word) ? -1 : moneyIn.has(word) ? 1 : undefined;
}

export function readStatus(text: string, words?: Words): 'booked' | 'unbooked' | undefined {
  const meaning = given(words, text);
  if (meaning === 'booked' || meaning === 'unbooked') return meaning;
  const word = fold(text);
  return booked.has(word) ? 'booked' : unbooked.has(word) ? 'unbooked' : undefined;
}

const number = '[\\d.,\\s/:-]*';
const opening = new RegExp(
  '^(?:(?:opening|beginning|starting|start|initial|previous|prior|forward) balance|balance (?:brought |carried )?forward|' +
    `brought forward|anfangssaldo|anfangsbestand|startsaldo|eroffnungssaldo|saldovortrag|beginsaldo|ancien solde|` +
    `solde (?:initial|precedent)|saldo (?:inicial|anterior|iniziale|poczatkowe|precedente))(?: (?:as of|at|on|am|per|au|al) ?)?${number}$`,
);
const closing = new RegExp(
  '^(?:(?:closing|ending|end|final|current|new|available) balance|endsaldo|endbestand|schlusssaldo|eindsaldo|nouveau solde|' +
    `solde final|saldo (?:final|finale|actual|koncowe|attuale))(?: (?:as of|at|on|am|per|au|al) ?)?${number}$`,
);
const total = new RegExp(
  '^(?:grand |sub ?)?(?:totals?|sums?|summe|gesamt|gesamtsumme|totaal|totale|suma|razem|summa|итого)' +
    `(?: (?:credits?|debits?|amount|deposits|withdrawals|balance|fees|in|out))?${number}$`,
);

export function readSummary(text: string): 'opening' | 'closing' | 'total' | undefined {
  if (text.length > 80) return undefined;
  const name = fold(text);
  return opening.test(name) ? 'opening' : closing.test(name) ? 'closing' : total.test(name) ? 'total' : undefined;
}
