/** Who is signed in, as `/dashboard/session` answers. */
export interface SessionState {
  object: 'session';
  id: string;
  /** Goes back in the header `x-csrf-token` of everything that is not a plain read. */
  csrf_token: string;
  role: 'owner' | 'member' | 'viewer';
  account: { id: string; name: string; mode: 'live' | 'test' };
  api_key: {
    id: string;
    name: string;
    scope: 'human' | 'read';
    company_ids: string[] | null;
    permissions: string[] | null;
  };
  created_at: string;
  expires_at: string;
}
