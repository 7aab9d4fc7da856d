import process from 'node:process';
import * as client from '@finhook/client';
import * as testing from '@finhook/client/testing';
import { program } from './program.js';

console.log(JSON.stringify(await program({ ...client, ...testing }, JSON.parse(process.env.INPUT))));
