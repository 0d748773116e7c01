/** Placeholders of `git log --format` that print what a commit holds; `%G` would start a program to check a signature. */
const COMMIT_PLACEHOLDER =
  /%(?:%|n|x[\da-fA-F]{2}|w\([\d, ]*\)|(?:<|>>?|><)\|?\([\w, -]*\)|C(?:red|green|blue|reset|\([\w #,-]*\))|[-+ ]?(?:[HhTtPpdDefsbBNSm]|[ac][nNeElLdDrtiIsh]|g[DdnNeEsS]|\((?:trailers|describe|decorate)(?::[^()]*)?\)))/g;

/** Whether a format of `git log` only prints. */
export function isLogFormat(format: string): boolean {
  return !format.replaceAll(COMMIT_PLACEHOLDER, '').includes('%');
}

const REFERENCE_FIELD =
  /^\*?(?:refname|object(?:type|size|name)?|deltabase|upstream|push|HEAD|color|align|end|if|then|else|worktreepath|symref|flag|ahead-behind|describe|parent|numparent|tree|type|tag|(?:author|committer|tagger|creator)(?:name|email|date)?|subject|body|trailers|contents|raw)(?::[^()]*)?$/;

/** Whether a field of a reference is printed without starting a program, as `signature` does. */
export function isReferenceField(field: string): boolean {
  return REFERENCE_FIELD.test(field.replace(/^(?:version|v):/, ''));
}

/** Whether a format of `git for-each-ref`, `git branch` or `git tag` only prints. */
export function isReferenceFormat(format: string): boolean {
  const rest = format.replaceAll(/%(?:%|[\da-fA-F]{2}|\(([^()]*)\))/g, (whole, field?: string) =>
    field === undefined || isReferenceField(field) ? '' : whole,
  );
  return !rest.includes('%');
}
