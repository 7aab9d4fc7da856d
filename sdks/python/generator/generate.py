"""Generates models and operations: generate.py <openapi.json> <folder of the package>."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from openapi_python_client import cli, strings

here = Path(__file__).parent

# Without this, fields that have the name of a function of Python get an underscore: `event.type_`.
strings.RESERVED_WORDS -= {"filter", "format", "input", "object", "open", "set", "type"}


def prepare(document: dict[str, Any]) -> None:
    """Leaves what a method needs: the package's own layer sends the headers and reads the problems."""
    schemas = document["components"]["schemas"]
    for path in document["paths"].values():
        for method, operation in list(path.items()):
            if operation["operationId"].endswith(".2"):  # An alias.
                del path[method]
                continue
            # The templates have only the tag to tell `cash.on_hand` from `cash.balances.upsert`.
            operation["tags"] = [" sub ".join(operation["operationId"].split(".")[:-1])]
            operation["parameters"] = [
                parameter
                for parameter in operation.get("parameters", [])
                if parameter["in"] != "header" and parameter["name"] != "format"
            ]
            success = next(response for status, response in operation["responses"].items() if status < "300")
            content = success.get("content", {})
            success["content"] = {"application/json": content["application/json"]} if content else {}
            operation["responses"] = {"204" if not content else "200": success}
            if "requestBody" in operation:
                json_body = operation["requestBody"]["content"]["application/json"]
                name = json_body["schema"]["$ref"].rsplit("/", 1)[1]
                # A batch or one of its rows: a method has the parameters of the batch.
                json_body["schema"] = schemas[name].get("oneOf", [json_body["schema"]])[0]
    document["paths"] = {path: methods for path, methods in document["paths"].items() if methods}


def main(source: str, target: str) -> None:
    document = json.loads(Path(source).read_text())
    prepare(document)
    Path(source).write_text(json.dumps(document))
    package = Path(target)
    cli.app(
        ["generate", "--meta", "none", "--fail-on-warning", "--path", source, "--output-path", target]
        + ["--config", str(here / "config.yaml"), "--custom-template-path", str(here / "templates")],
        standalone_mode=False,
    )
    shutil.rmtree(package / "api")
    (package / "errors.py").unlink()
    (package / "client.py").rename(package / "operations.py")
    for model in (package / "models").iterdir():
        text = model.read_text()
        text = text.replace("import UNSET, Unset\n", "import UNSET, Unset, read_date, read_datetime, write_time\n", 1)
        # In a record with the field `type`, type checkers take the annotation for it.
        text = text.replace("cls: type[T]", "cls: Type[T]").replace(
            "import Any, TypeVar,", "import Any, Type, TypeVar,"
        )
        # Enums have no check: templates/literal_enum.py.jinja.
        model.write_text(re.sub(r"from .* import check_.*\n", "", text))


main(*sys.argv[1:])
