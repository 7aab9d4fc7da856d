/** Upper halves of DOS code pages that banks still use but browsers can't decode. */
const dosPages: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}',
};

export interface Charset {
  /** The name in the Encoding Standard, or `cp850` and the like. */
  name: string;
  decode: (bytes: Uint8Array) => string;
}

/** Accepts names as banks write them: `1250`, `cp850`, `8859-1`. */
export function charsetOf(name: string): Charset | undefined {
  const lower = name.trim().toLowerCase();
  const dos = /^(?:cp|ibm|dos)?[-_]?(437|850|852)$/.exec(lower)?.[1];
  const page = dosPages[`cp${dos}`];
  if (page !== undefined) return { name: `cp${dos}`, decode: (bytes) => decodePage(bytes, page) };
  const label = lower.replace(/^(?:cp-?)?(125\d)$/, 'windows-$1').replace(/^8859-?(\d\d?)$/, 'iso-8859-$1');
  try {
    const decoder = new TextDecoder(label === 'usascii' ? 'ascii' : label);
    return { name: decoder.encoding, decode: (bytes) => decoder.decode(bytes) };
  } catch {
    return undefined;
  }
}

function decodePage(bytes: Uint8Array, page: string): string {
  const utf16 = new Uint8Array(2 * bytes.length);
  for (const [i, byte] of bytes.entries()) {
    const code = byte < 0x80 ? byte : page.charCodeAt(byte - 0x80);
    utf16[2 * i] = code & 0xff;
    utf16[2 * i + 1] = code >> 8;
  }
  return new TextDecoder('utf-16le').decode(utf16);
}
