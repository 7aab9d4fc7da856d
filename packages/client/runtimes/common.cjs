const client = require('@finhook/client');
const testing = require('@finhook/client/testing');

import('./program.js')
  .then(({ program }) => program({ ...client, ...testing }, JSON.parse(process.env.INPUT)))
  .then((result) => console.log(JSON.stringify(result)));
