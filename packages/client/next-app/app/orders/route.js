/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- plain JavaScript */
export const POST = async (request) => Response.json({ got: await request.json() });
