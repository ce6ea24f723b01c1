"""A BERT model as an ONNX graph of integer matrix products, written node by node.

Written out instead of traced, so that the graph holds what onnxruntime's CPU provider runs fast and nothing else:
activations are quantised token by token, so a token's numbers never depend on what else is in the batch; the last layer
of a classifier works for the first token only, the one its head reads; LayerNormalization is used instead of the
fused SkipLayerNormalization, which is slower on the CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from training.quantise import GROUP, Quantised, quantise_layer, quantise_rows

CONTRIB = "com.microsoft"
_SIGNED_ZERO = 128
_SIGNED_STEPS = 127
# The gelu is never below -0.17: a low zero point leaves nearly all of the 8 bits to its positive side.
_GELU_ZERO = 16
_GELU_STEPS = 254 - _GELU_ZERO
_GELU_LOWEST = 0.17

Tensor = npt.NDArray[np.generic]
Weights = Mapping[str, npt.NDArray[np.float32]]
Moments = Mapping[str, npt.NDArray[np.float64]]


@dataclass(frozen=True)
class Bert:
    """A model to write down: its shape, its weights by name, and the moments of its layers' inputs."""

    layers: int
    heads: int
    hidden: int
    epsilon: float
    weights: Weights
    moments: Moments

    @classmethod
    def of(cls, config: Mapping[str, object], weights: Weights, moments: Moments) -> Bert:
        """Read a `config.json`; ValueError for an architecture that these graphs are not."""
        if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
            raise ValueError("only BERT with the exact gelu can be exported")
        return cls(
            layers=int(str(config["num_hidden_layers"])),
            heads=int(str(config["num_attention_heads"])),
            hidden=int(str(config["hidden_size"])),
            epsilon=float(str(config["layer_norm_eps"])),
            weights={name.removeprefix("bert."): weight for name, weight in weights.items()},
            moments=moments,
        )


@dataclass(frozen=True)
class _Codes:
    """Activations as integers: their names in the graph, and how to get back."""

    values: str
    token_scale: str
    zero: str


@dataclass
class _Graph:
    """The nodes and constants written so far."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, onnx.TensorProto] = field(default_factory=dict)

    def op(self, op_type: str, *inputs: str, domain: str = "", outputs: int = 1, **attributes: object) -> str:
        """Append a node and return the name of its first output; further outputs are called `name:1` and so on."""
        name = f"{op_type}_{len(self.nodes)}"
        names = [name, *(f"{name}:{number}" for number in range(1, outputs))]
        self.nodes.append(helper.make_node(op_type, list(inputs), names, domain=domain, **attributes))
        return name

    def constant(self, name: str, value: Tensor | float | list[int]) -> str:
        """A constant of the graph, written once under its name: floats as float32, lists as int64."""
        if name not in self.constants:
            array = np.asarray(value, dtype=np.float32 if isinstance(value, float) else None)
            self.constants[name] = numpy_helper.from_array(np.array(array, order="C"), name)
        return name

    def model(self, output: str, width: int) -> onnx.ModelProto:
        """The finished model: int64 inputs (batch, tokens), one float output (batch, width)."""
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "token_type_ids", "attention_mask")
        ]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", width])]
        graph = helper.make_graph(self.nodes, "bert", inputs, outputs, list(self.constants.values()))
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def encoder_model(bert: Bert) -> onnx.ModelProto:
    """A sentence encoder: `embeddings` (batch, hidden), the mean of the real tokens' states at length 1."""
    graph = _Graph()
    states = _body(graph, bert, first_token_only=False)
    mask = graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    axis = graph.constant("token_axis", [1])
    column = graph.op("Unsqueeze", mask, graph.constant("last_axis", [-1]))
    total = graph.op("ReduceSum", graph.op("Mul", states, column), axis, keepdims=0)
    mean = graph.op("Div", total, graph.op("ReduceSum", mask, axis, keepdims=1))
    graph.nodes.append(helper.make_node("LpNormalization", [mean], ["embeddings"], axis=-1, p=2))
    return graph.model("embeddings", bert.hidden)


def classifier_model(bert: Bert) -> onnx.ModelProto:
    """A sequence classifier: `logits` (batch, labels)."""
    graph = _Graph()
    states = _body(graph, bert, first_token_only=True)
    first = graph.op("Squeeze", states, graph.constant("token_axis", [1]))
    pooled = graph.op("Tanh", _head(graph, bert, first, "pooler.dense"))
    logits = _head(graph, bert, pooled, "classifier")
    graph.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
    return graph.model("logits", len(bert.weights["classifier.bias"]))


def _body(graph: _Graph, bert: Bert, *, first_token_only: bool) -> str:
    mask = graph.op("Cast", "attention_mask", to=TensorProto.INT32)
    states = _embeddings(graph, bert)
    for layer in range(bert.layers):
        last = first_token_only and layer == bert.layers - 1
        states = _layer(graph, bert, states, mask, f"encoder.layer.{layer}", first_token_only=last)
    return states


def _embeddings(graph: _Graph, bert: Bert) -> str:
    table = "embeddings.token_type_embeddings.weight"
    types = graph.op("Gather", graph.constant(table, bert.weights[table]), "token_type_ids")
    length = graph.op("Gather", graph.op("Shape", "input_ids"), graph.constant("one", np.int64(1)))
    numbers = graph.op("Range", graph.constant("zero", np.int64(0)), length, graph.constant("one", np.int64(1)))
    table = "embeddings.position_embeddings.weight"
    positions = graph.op("Gather", graph.constant(table, bert.weights[table]), numbers)
    summed = graph.op("Add", _word_rows(graph, bert), graph.op("Add", types, positions))
    return _norm(graph, bert, summed, "embeddings.LayerNorm")


def _word_rows(graph: _Graph, bert: Bert) -> str:
    """Word vectors, widened for the tokens at hand only: the table is most of the model's size."""
    table = quantise_rows(bert.weights["embeddings.word_embeddings.weight"])
    rows = graph.op("Gather", graph.constant("words.int8", table.codes), "input_ids")
    scales = graph.op("Gather", graph.constant("words.scale", table.scales), "input_ids")
    grouped = graph.constant("grouped", [0, 0, bert.hidden // GROUP, GROUP])
    rows = graph.op("Reshape", graph.op("Cast", rows, to=TensorProto.FLOAT), grouped)
    scales = graph.op("Unsqueeze", graph.op("Cast", scales, to=TensorProto.FLOAT), graph.constant("last_axis", [-1]))
    flat = graph.constant("flat", [0, 0, bert.hidden])
    return graph.op("Reshape", graph.op("Mul", rows, scales), flat)


def _layer(graph: _Graph, bert: Bert, states: str, mask: str, name: str, *, first_token_only: bool) -> str:
    attended, states = _attention(graph, bert, states, mask, f"{name}.attention.self", first_token_only)
    output = f"{name}.attention.output"
    states = _residual(graph, bert, _signed(graph, attended), states, output)
    inner = f"{name}.intermediate.dense"
    raw = _product(graph, _signed(graph, states), inner, _quantised(bert, inner))
    activated = graph.op("BiasGelu", raw, _bias(graph, bert, inner), domain=CONTRIB)
    return _residual(graph, bert, _gelu_codes(graph, activated), states, f"{name}.output")


def _attention(graph: _Graph, bert: Bert, states: str, mask: str, name: str, first_token_only: bool) -> tuple[str, str]:
    """What the tokens attend to, and the states of the tokens that go on: all, or the first of each text."""
    query, key, value = (_quantised(bert, f"{name}.{part}") for part in ("query", "key", "value"))
    codes = _signed(graph, states)
    if first_token_only:
        joined = _product(graph, codes, f"{name}.key_value", _stacked(key, value))
        keys = graph.op("Split", joined, axis=-1, outputs=2)
        parts = [keys, f"{keys}:1"]
        states = graph.op("Slice", states, *(graph.constant(f"[{n}]", [n]) for n in (0, 1, 1)))
        parts.insert(0, _product(graph, _signed(graph, states), f"{name}.query", query))
    else:
        joined = _product(graph, codes, f"{name}.query_key_value", _stacked(query, key, value))
        split = graph.op("Split", joined, axis=-1, outputs=3)
        parts = [split, f"{split}:1", f"{split}:2"]
    bias = np.concatenate([bert.weights[f"{name}.{part}.bias"] for part in ("query", "key", "value")])
    attended = graph.op(
        "MultiHeadAttention",
        *parts,
        graph.constant(f"{name}.bias", bias),
        mask,
        domain=CONTRIB,
        num_heads=bert.heads,
    )
    return attended, states


def _residual(graph: _Graph, bert: Bert, codes: _Codes, states: str, name: str) -> str:
    raw = _product(graph, codes, f"{name}.dense", _quantised(bert, f"{name}.dense"))
    projected = graph.op("Add", raw, _bias(graph, bert, f"{name}.dense"))
    return _norm(graph, bert, graph.op("Add", projected, states), f"{name}.LayerNorm")


def _norm(graph: _Graph, bert: Bert, states: str, name: str) -> str:
    weight = graph.constant(f"{name}.weight", bert.weights[f"{name}.weight"])
    return graph.op("LayerNormalization", states, weight, _bias(graph, bert, name), axis=-1, epsilon=bert.epsilon)


def _head(graph: _Graph, bert: Bert, vector: str, name: str) -> str:
    """A small layer of the head, at full precision."""
    weight = graph.constant(f"{name}.weight", bert.weights[f"{name}.weight"])
    return graph.op("Gemm", vector, weight, _bias(graph, bert, name), transB=1)


def _bias(graph: _Graph, bert: Bert, name: str) -> str:
    return graph.constant(f"{name}.bias", bert.weights[f"{name}.bias"])


def _quantised(bert: Bert, name: str) -> Quantised:
    return quantise_layer(bert.weights[f"{name}.weight"], bert.moments[name])


def _stacked(*layers: Quantised) -> Quantised:
    return Quantised(
        np.concatenate([layer.codes for layer in layers]), np.concatenate([layer.scales for layer in layers])
    )


def _signed(graph: _Graph, states: str) -> _Codes:
    """Values of either sign, each token scaled to its own largest."""
    largest = graph.op("ReduceMax", graph.op("Abs", states), keepdims=1, axes=[-1])
    steps = graph.constant("signed_step", 1.0 / _SIGNED_STEPS)
    return _codes(graph, states, largest, steps, 1e-9, _SIGNED_ZERO)


def _gelu_codes(graph: _Graph, states: str) -> _Codes:
    """Values of the gelu, each token scaled to its own largest or to the gelu's lowest value."""
    largest = graph.op("ReduceMax", states, keepdims=1, axes=[-1])
    steps = graph.constant("gelu_step", 1.0 / _GELU_STEPS)
    return _codes(graph, states, largest, steps, _GELU_LOWEST / (_GELU_ZERO - 0.5), _GELU_ZERO)


def _codes(graph: _Graph, states: str, largest: str, step: str, smallest: float, zero: int) -> _Codes:
    scale = graph.op("Max", graph.op("Mul", largest, step), graph.constant(f"smallest_{zero}", smallest))
    name = graph.constant(f"zero_{zero}", np.uint8(zero))
    unit = graph.constant("unit", 1.0)
    return _Codes(graph.op("QuantizeLinear", graph.op("Div", states, scale), unit, name), scale, name)


def _product(graph: _Graph, codes: _Codes, name: str, layer: Quantised) -> str:
    raw = graph.op(
        "MatMulIntegerToFloat",
        codes.values,
        graph.constant(f"{name}.int8", layer.codes.T),
        graph.constant("unit", 1.0),
        graph.constant(f"{name}.scale", layer.scales),
        codes.zero,
        domain=CONTRIB,
    )
    return graph.op("Mul", raw, codes.token_scale)
