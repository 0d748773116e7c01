import { distrustDirectory, listTrustedDirectories, trustDirectory } from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { ROLES } from '../admission/roles.ts';
import { WireError } from '../live/wire-error.ts';
import { callerOf } from './caller.ts';
import { type Route, route } from './route.ts';

const linkSchema = z.object({ code: z.string(), expires_at: z.string() });
const pageTokenSchema = z.object({ token: z.string() });
const issuedSchema = z.object({
  id: z.string(),
  user: z.string(),
  roles: z.array(z.enum(ROLES)),
  created_at: z.string(),
});
const newTokenSchema = z.strictObject({
  user: z
    .string()
    .regex(/^[\w.@-]{1,64}$/, 'has letters, digits, ".", "_", "@" and "-", at most 64'),
  roles: z.array(z.enum(ROLES)).min(1),
});
const foldersSchema = z.object({
  folders: z.array(z.object({ path: z.string(), trusted_at: z.string() })),
});
const folderSchema = z.strictObject({ path: z.string().min(1).max(4096) });
const okSchema = z.object({ ok: z.literal(true) });

/** Tokens, page links and trusted folders. */
export const ACCESS_ROUTES: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/links',
    role: 'read',
    summary: 'Creates a one-time code, valid for two minutes, that opens the page as the caller',
    responses: { 201: { description: 'The code', schema: linkSchema } },
    handle: ({ context, shared, identity }) => {
      const { code, expiresAt } = shared.admission.createLink(identity);
      return context.json({ code, expires_at: new Date(expiresAt).toISOString() }, 201);
    },
  }),
  route({
    method: 'post',
    path: '/api/links/{code}',
    role: 'nobody',
    summary: 'Exchanges a code for a page token',
    responses: { 200: { description: 'The token', schema: pageTokenSchema } },
    handle: ({ context, shared, param }) =>
      context.json({ token: shared.admission.redeemLink(param('code'), callerOf(context)) }),
  }),
  route({
    method: 'get',
    path: '/api/tokens',
    role: 'admin',
    summary: 'Lists user tokens, without their secret values',
    responses: {
      200: { description: 'Tokens', schema: z.object({ tokens: z.array(issuedSchema) }) },
    },
    handle: ({ context, shared }) => {
      const tokens = shared.admission.people.list().map(({ createdAt, roles, ...rest }) => ({
        ...rest,
        roles: [...roles],
        created_at: createdAt,
      }));
      return context.json({ tokens });
    },
  }),
  route({
    method: 'post',
    path: '/api/tokens',
    role: 'admin',
    summary: 'Creates a token for a user; it is shown only once',
    body: newTokenSchema,
    responses: {
      201: {
        description: 'The token',
        schema: z.object({ ...issuedSchema.shape, token: z.string() }),
      },
    },
    handle: ({ context, shared, body }) => {
      const { createdAt, ...made } = shared.admission.people.create(body.user, body.roles);
      return context.json({ ...made, created_at: createdAt }, 201);
    },
  }),
  route({
    method: 'delete',
    path: '/api/tokens/{tokenId}',
    role: 'admin',
    summary: 'Revokes a token',
    responses: { 200: { description: 'Revoked', schema: okSchema } },
    handle: ({ context, shared, param }) => {
      if (shared.admission.people.revoke(param('tokenId'))) return context.json({ ok: true });
      throw new WireError('unknown_token', 'There is no such token.');
    },
  }),
  route({
    method: 'get',
    path: '/api/trust',
    role: 'read',
    summary: 'Lists folders whose settings, hooks and plugins are used',
    responses: { 200: { description: 'Folders', schema: foldersSchema } },
    handle: async ({ context }) => {
      const folders = await listTrustedDirectories();
      return context.json({
        folders: folders.map(({ path, since }) => ({ path, trusted_at: since })),
      });
    },
  }),
  route({
    method: 'post',
    path: '/api/trust',
    role: 'admin',
    summary: 'Trusts a folder and everything below it',
    body: folderSchema,
    responses: { 200: { description: 'Trusted', schema: okSchema } },
    handle: async ({ context, body }) => {
      await trustDirectory(body.path).catch((error: Error) => {
        throw new WireError('unknown_folder', error.message, { cause: error });
      });
      return context.json({ ok: true });
    },
  }),
  route({
    method: 'delete',
    path: '/api/trust',
    role: 'admin',
    summary: 'Revokes trust in a folder',
    query: folderSchema,
    responses: { 200: { description: 'No longer trusted', schema: okSchema } },
    handle: async ({ context, query }) => {
      if (await distrustDirectory(query.path)) return context.json({ ok: true });
      throw new WireError('unknown_folder', `${query.path} was not trusted.`);
    },
  }),
];
