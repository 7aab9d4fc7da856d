/** The service does not use older exchange rates. */
export const MAX_RATES_AGE_DAYS = 7;

/** Digits of minor units, where they are not two. */
const exponents: Readonly<Record<string, number>> = {
  BIF: 0,
  BYR: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

/** ISO 4217 list one, without metals, tests and "no currency". */
const codes = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE ' +
    'CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF ' +
    'GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR ' +
    'LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN ' +
    'PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS ' +
    'TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ' +
    'ZMW ZWG'
  ).split(' '),
);

/** Codes withdrawn since 2014 (list three), with the month: a backfill has older rows. */
const withdrawn = new Set([
  'LVL', // 2014-01, now EUR
  'USS', // 2014-03, now USD
  'LTL', // 2014-12, now EUR
  'BYR', // 2017-01, now BYN
  'MRO', // 2017-12, now MRU
  'STD', // 2017-12, now STN
  'VEF', // 2018-08, now VES
  'CUC', // 2021-06, now CUP
  'HRK', // 2023-01, now EUR
  'SLL', // 2023-12, now SLE
  'ZWL', // 2024-09, now ZWG
  'ANG', // 2025-07, now XCG
  'BGN', // 2026-01, now EUR
]);

/** The ISO 4217 code in upper case; undefined if unknown. */
export function normalizeCurrency(code: string): string | undefined {
  // Other letters have ASCII capitals: ſ becomes S.
  const upper = /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : '';
  return codes.has(upper) || withdrawn.has(upper) ? upper : undefined;
}

/** Digits of the minor unit: 2 for USD (cents), 0 for JPY, 3 for KWD. */
export function currencyExponent(code: string): number {
  return exponents[code] ?? 2;
}

/** Minor units as a decimal with all digits of the currency: `-12.50`. */
export function decimalOf(amount: number | bigint | string, currency: string): string {
  const digits = currencyExponent(currency);
  const units = BigInt(amount);
  const [sign, absolute] = units < 0n ? ['-', -units] : ['', units];
  const text = absolute.toString().padStart(digits + 1, '0');
  return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`);
}

/** Formats minor units, exact for any size. `locale` sets separators and the position of the sign. */
export function formatMoney(amount: number | bigint | string, currency: string, locale = 'en-US'): string {
  return moneyFormat(currency, locale).format(exactDecimal(decimalOf(amount, currency)));
}

/** Making one takes as long as formatting some hundred amounts. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const known = moneyFormats.get(key);
  if (known) return known;
  const digits = currencyExponent(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(key, format);
  return format;
}

// Intl formats decimal text exactly (ECMA-402); its type allows only literals.
function exactDecimal(text: string): `${number}` {
  return text as `${number}`;
}
