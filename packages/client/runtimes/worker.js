import * as client from '@finhook/client';
import * as testing from '@finhook/client/testing';
import { program } from './program.js';

export default {
  async test(_, env) {
    console.log(JSON.stringify(await program({ ...client, ...testing }, JSON.parse(env.INPUT))));
  },
};
