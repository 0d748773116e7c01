// Width of a text in terminal cells. Latin letters, box lines and the symbols our UI draws take one cell each; other text
// needs Unicode tables, which are loaded when it first occurs.
const SIMPLE =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u257f\u2580-\u259f\u25cb-\u25d0\u25c6\u2713\u2717\u273b\u276f]*$/;
const STYLES = new RegExp(`${'\u001b'}\\[[\\d;]*m`, 'g');

module.exports = (text, options) => {
  const plain = typeof text === 'string' ? text.replaceAll(STYLES, '') : text;
  return SIMPLE.test(plain) ? plain.length : require('string-width').default(text, options);
};
