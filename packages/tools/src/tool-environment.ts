/** Names of environment variables that hold secrets, including those of every provider. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEYS?|AUTH_?KEY|TOKENS?|SECRETS?|SECRET_KEY|SECRET_ACCESS_KEY|ACCESS_KEY|PRIVATE_KEY|PASSWORDS?|PASSWD|PASSPHRASE)$|^(?:PGPASSWORD|MYSQL_PWD|AZURE_CLIENT_SECRET|CLAUDE_CODE_OAUTH_TOKEN)$/i;

/** The environment for commands: without variables named like secrets, except those passed on by name. */
export function toolEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  pass: readonly string[] = [],
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => pass.includes(name) || !SECRET_NAME.test(name)),
  );
}
