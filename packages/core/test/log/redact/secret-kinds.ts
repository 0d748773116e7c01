/** Secrets as they appear in text; `<n>` stands for n random letters and digits, of which no six may be seen again. */
export const SECRET_KINDS: Readonly<Record<string, string>> = {
  anthropic: 'sk-ant-api03-<64>-AA',
  openai: 'sk-proj-<64>',
  openai_old: 'sk-<64>',
  google: 'AIza<35>',
  groq: 'gsk_<64>',
  xai: 'xai-<64>',
  github_pat: 'ghp_<36>',
  github_fine: 'github_pat_<32>_<32>',
  gitlab: 'glpat-<20>',
  npm: 'npm_<36>',
  hf: 'hf_<34>',
  slack_bot: 'xoxb-1234567890-<32>',
  slack_webhook: 'https://hooks.slack.com/services/T000/B000/<24>',
  slack_app: 'xapp-1-A0-<32>',
  aws_id: 'AKIA<16>',
  aws_secret_env: 'AWS_SECRET_ACCESS_KEY=<40>',
  aws_secret_ini: 'aws_secret_access_key = <40>',
  stripe: 'sk_live_<32>',
  stripe_restricted: 'rk_live_<32>',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3In0.<32>',
  pem: '-----BEGIN RSA PRIVATE KEY-----\n<64>\n<32>\n-----END RSA PRIVATE KEY-----',
  pgp: '-----BEGIN PGP PRIVATE KEY BLOCK-----\n<64>\n-----END PGP PRIVATE KEY BLOCK-----',
  openssh: '-----BEGIN OPENSSH PRIVATE KEY-----\n<64>\n-----END OPENSSH PRIVATE KEY-----',
  pgurl: 'postgres://user:<32>@db.local/x',
  redisurl: 'redis://:<32>@h:6379',
  urltoken: 'https://<32>@github.com/x/y.git',
  urlquery: 'https://api.x/v1?api_key=<32>&x=1',
  urlquery2: 'https://x/y?access_token=<32>',
  bearer: 'Authorization: Bearer <32>',
  basic: 'Authorization: Basic <32>==',
  xapikey: 'x-api-key: <32>',
  cookie: 'Set-Cookie: session=<32>; HttpOnly',
  lower_env: 'password=<32>',
  yaml: 'password: <32>',
  yaml_key: 'api_key: <32>',
  json: '{"password":"<32>"}',
  json_single: "{'password': '<32>'}",
  ts_assign: 'const apiKey = "<32>"',
  export: 'export MY_TOKEN=<32>',
  quoted_env: 'DB_PASSWORD="<32> with space"',
  curl_u: 'curl -u admin:<32> http://x',
  curl_H: "curl -H 'X-Api-Key: <32>'",
  mysql_p: 'mysql -uroot -p<32>',
  sendgrid: 'SG.<22>.<43>',
  twilio: 'SK0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d',
  telegram: '123456789:AA<32>',
  discord: 'MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.<32>',
  azure_conn: 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=<64>==;',
  azure_sas: '?sv=2020&sig=<32>%3D',
  gcp_sa:
    '{"type": "service_account", "private_key_id": "<32>", "private_key": "-----BEGIN PRIVATE KEY-----\\\\n<32>\\\\n-----END PRIVATE KEY-----"}',
  netrc: 'machine x login y password <32>',
  docker_auth: '{"auths":{"x":{"auth":"<32>=="}}}',
  kube: 'client-key-data: <64>',
  npmrc: '//registry.x/:_authToken=<32>',
  vault: 'hvs.<32>',
  digitalocean: 'dop_v1_<64>',
  pypi: 'pypi-AgEI<64>',
  linear: 'lin_api_<32>',
  sentry: 'sntrys_<32>',
  age: 'AGE-SECRET-KEY-1<32>',
  supabase: 'sbp_<32>',
  replicate: 'r8_<36>',
  cloudflare_hdr: 'X-Auth-Key: <32>',
  openrouter: 'sk-or-v1-<64>',
  openai_service: 'sk-svcacct-<64>',
  cerebras: 'csk-<48>',
  nvidia: 'nvapi-<64>',
  langsmith: 'lsv2_pt_<32>_<10>',
  tavily: 'tvly-<32>',
  bedrock: 'ABSK<100>',
  aws_session_id: 'ASIA<16>',
  gitlab_runner: 'glrt-<20>',
  bitbucket: 'ATBB<32>',
  atlassian: 'ATATT3<60>',
  rubygems: 'rubygems_<48>',
  docker_pat: 'dckr_pat_<27>',
  square: 'sq0atp-<22>',
  shopify: 'shpat_<32>',
  google_oauth: 'ya29.<64>',
  google_client: 'GOCSPX-<28>',
  netlify: 'nfp_<36>',
  planetscale: 'pscale_tkn_<43>',
  supabase_secret: 'sb_secret_<32>',
  tailscale: 'tskey-auth-<32>',
  doppler: 'dp.pt.<43>',
  grafana: 'glsa_<32>_<8>',
  newrelic: 'NRAK-<27>',
  notion: 'ntn_<46>',
  figma: 'figd_<40>',
  brevo: 'xkeysib-<64>-<16>',
  databricks: 'dapi0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d',
  mailgun: 'key-0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d',
  azure_client_secret: 'abc8Q~<34>',
  terraform: 'abcdefghij1234.atlasv1.<60>',
  discord_hook: 'https://discord.com/api/webhooks/123456789012345678/<60>',
  stripe_hook: 'whsec_<32>',
  jwe: 'eyJhbGciOiJkaXIifQ.<40>.<16>.<60>.<22>',
  encrypted_pem:
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,<32>\n\n<64>\n<64>\n<20>\n-----END RSA PRIVATE KEY-----',
  pgp_checksum:
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n<64>\n<12>\n=Ab3d\n-----END PGP PRIVATE KEY BLOCK-----',
  pem_cut_off: '-----BEGIN EC PRIVATE KEY-----\n<64>\n<40>',
  pem_in_code: "key = '-----BEGIN RSA PRIVATE KEY-----\\n' +\n  '<64>\\n' +\n  '<64>\\n'",
  proxy_auth: 'Proxy-Authorization: Basic <32>==',
  other_scheme: 'Authorization: ApiKey <32>',
  raw_authorization: 'authorization: <32>',
  flag: 'deploy --api-token <32> --verbose',
  flag_equals: 'deploy --client-secret=<32>',
  curl_user: "curl --user 'admin:<32>' http://x",
  typed: 'const apiKey: string = "<32>"',
  rust: 'let api_key: &str = "<32>";',
  go: 'password := "<32>"',
  php: "'password' => '<32>',",
  indexed: 'config["secret"] = "<32>"',
  toml: 'client_secret = "<32>"',
  plural_json: '{"tokens":["<32>", "<32>"],"n":1}',
  plural_value: '{"apiKeys": "<32>"}',
  set_cookie_list: '{"set-cookie":["sid=<32>; Path=/","b=<32>"]}',
  amz_url: 'https://b.s3.amazonaws.com/k?X-Amz-Signature=<64>&x=1',
  encoded_url: 'https://x/?next=%2Fy%3Fkey%3Dsk-proj-<48>',
  mongo: 'mongodb+srv://app:<32>@cluster0.x.mongodb.net/db',
};

/** Letters and digits that are the same in every run. */
export function createFill(seed: number): (length: number) => string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return (length) => Array.from({ length }, () => letters[Math.floor(next() * 62)]).join('');
}

export interface PlantedSecret {
  readonly text: string;
  /** What must not be seen: the random parts, or all of it where nothing is random. */
  readonly parts: readonly string[];
}

export function plant(shape: string, fill: (length: number) => string): PlantedSecret {
  const parts: string[] = [];
  const text = shape.replace(/<(\d+)>/g, (_, length: string) => {
    parts.push(fill(Number(length)));
    return parts.at(-1) ?? '';
  });
  return { text, parts: parts.length > 0 ? parts : [text.slice(4)] };
}

/** The pieces of eight characters of a secret that a text still shows. */
export function leaks(text: string, parts: readonly string[]): readonly string[] {
  const pieces = parts.flatMap((part) =>
    Array.from({ length: part.length - 7 }, (_, at) => part.slice(at, at + 8)),
  );
  // One way through the text for all of them: most places are ruled out by their first two characters.
  const wanted = new Set(pieces);
  const begins = new Uint8Array(65_536);
  const beginning = (of: string, at: number) =>
    (of.charCodeAt(at) * 257 + of.charCodeAt(at + 1)) & 0xffff;
  for (const piece of wanted) begins[beginning(piece, 0)] = 1;
  const found = new Set<string>();
  for (let at = 0; at + 8 <= text.length; at++) {
    if (begins[beginning(text, at)] === 0) continue;
    const piece = text.slice(at, at + 8);
    if (wanted.has(piece)) found.add(piece);
  }
  return pieces.filter((piece) => found.has(piece));
}
