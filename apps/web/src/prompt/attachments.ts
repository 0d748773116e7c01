/** An image sent with a prompt. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

const KINDS = /^image\/(?:png|jpeg|gif|webp)$/;
const MAX_BYTES = 5 * 1024 * 1024;

/** Reads pasted, dropped or chosen images; reports which were skipped and why. */
export async function readAttachments(
  files: readonly File[],
): Promise<{ readonly pictures: readonly Attachment[]; readonly problems: readonly string[] }> {
  const pictures: Attachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const name = file.name === '' ? 'Picture' : file.name;
    if (!KINDS.test(file.type)) problems.push(`${name} is no png, jpeg, gif or webp.`);
    else if (file.size > MAX_BYTES) problems.push(`${name} is larger than 5 MB.`);
    else pictures.push({ name, mediaType: file.type, data: await base64(file) });
  }
  return { pictures, problems };
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}
