using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "program", worker = .program),
    (name = "internet", network = (allow = ["private"])),
  ],
);

const program :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "program.js", esModule = embed "program.js"),
    (name = "@finhook/client", esModule = embed "node_modules/@finhook/client/dist/esm/index.js"),
    (name = "@finhook/client/testing", esModule = embed "node_modules/@finhook/client/dist/esm/testing.js"),
  ],
  bindings = [(name = "INPUT", fromEnvironment = "INPUT")],
);
