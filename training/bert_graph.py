"""A BERT encoder as an ONNX graph of fused CPU operators, its weights left out as named external tensors.

The graph is written node by node instead of traced, so that it holds only operators that onnxruntime's CPU
provider runs fused (Attention, SkipLayerNormalization, BiasGelu) and names every weight after what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

CONTRIB = "com.microsoft"
GROUP = 32
"""Consecutive input channels that share one scale of 8-bit storage."""

Tensor = npt.NDArray[np.generic]
Tensors = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class BertShape:
    """What the graph needs to know of a `config.json`."""

    layers: int
    heads: int
    hidden: int
    epsilon: float

    @classmethod
    def from_config(cls, config: Mapping[str, object]) -> BertShape:
        """Read a BERT configuration; ValueError for an architecture this graph does not build."""
        if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
            raise ValueError("only BERT with the exact gelu can be exported")
        return cls(
            layers=int(str(config["num_hidden_layers"])),
            heads=int(str(config["num_attention_heads"])),
            hidden=int(str(config["hidden_size"])),
            epsilon=float(str(config["layer_norm_eps"])),
        )


@dataclass
class GraphBuilder:
    """Collects nodes, the small constants that stay in the graph, and the tensors stored beside it."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    initializers: list[onnx.TensorProto] = field(default_factory=list)
    tensors: dict[str, Tensor] = field(default_factory=dict)

    def op(self, op_type: str, *inputs: str, domain: str = "", **attributes: object) -> str:
        """Append a node with one output and return the output's name."""
        output = f"{op_type}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, list(inputs), [output], domain=domain, **attributes))
        return output

    def constant(self, name: str, value: Tensor) -> str:
        """A constant small enough to live in the graph."""
        if all(known.name != name for known in self.initializers):
            self.initializers.append(numpy_helper.from_array(value, name))
        return name

    def stored(self, name: str, value: Tensor) -> str:
        """A tensor kept in the weights file as it is."""
        self.tensors[name] = np.ascontiguousarray(value)
        self._declare(name, value.shape, helper.np_dtype_to_tensor_dtype(value.dtype))
        return name

    def quantised(self, name: str, matrix: npt.NDArray[np.float32]) -> str:
        """A (inputs, outputs) matrix kept as int8 with one scale per `GROUP` inputs of an output channel."""
        codes, scales = quantise_groups(matrix)
        self.tensors[f"{name}.int8"] = codes
        self.tensors[f"{name}.scale"] = scales
        self._declare(name, matrix.shape, TensorProto.FLOAT)
        return name

    def _declare(self, name: str, shape: tuple[int, ...], data_type: int) -> None:
        proto = TensorProto(name=name, dims=shape, data_type=data_type, data_location=TensorProto.EXTERNAL)
        proto.external_data.add(key="location", value="weights")
        self.initializers.append(proto)


def quantise_groups(
    matrix: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float16]]:
    """Symmetric int8 codes of a (rows, columns) matrix, and its (rows / GROUP, columns) scales."""
    rows, columns = matrix.shape
    groups = matrix.reshape(rows // GROUP, GROUP, columns)
    scales = np.maximum(np.abs(groups).max(axis=1) / 127.0, 1e-6).astype(np.float16)
    codes = np.rint(groups / scales[:, None, :].astype(np.float32)).clip(-127, 127).astype(np.int8)
    return codes.reshape(rows, columns), scales


def encoder_graph(weights: Tensors, shape: BertShape) -> GraphBuilder:
    """Graph and tensors of a sentence encoder: `embeddings` (batch, hidden), unit length."""
    builder = GraphBuilder()
    states = _body(builder, weights, shape)
    _mean_pooling(builder, states)
    return builder


def classifier_graph(weights: Tensors, shape: BertShape) -> GraphBuilder:
    """Graph and tensors of a sequence classifier: `logits` (batch, labels)."""
    builder = GraphBuilder()
    body = {name.removeprefix("bert."): tensor for name, tensor in weights.items()}
    states = _body(builder, body, shape)
    first = builder.op("Gather", states, builder.constant("zero", np.array(0, np.int64)), axis=1)
    pooled = builder.op("Tanh", _dense(builder, first, "pooler.dense", body))
    logits = _dense(builder, pooled, "classifier", body)
    builder.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
    return builder


def model_proto(builder: GraphBuilder, output: str, width: int) -> onnx.ModelProto:
    """The finished model: int64 inputs (batch, tokens), one float output (batch, width)."""
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "token_type_ids", "attention_mask")
    ]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", width])]
    graph = helper.make_graph(builder.nodes, "bert", inputs, outputs, builder.initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def _body(builder: GraphBuilder, weights: Tensors, shape: BertShape) -> str:
    builder.op("Cast", "attention_mask", to=TensorProto.INT32)
    mask = builder.nodes[-1].output[0]
    states = _embeddings(builder, weights, shape)
    for layer in range(shape.layers):
        states = _layer(builder, states, mask, f"encoder.layer.{layer}", weights, shape)
    return states


def _embeddings(builder: GraphBuilder, weights: Tensors, shape: BertShape) -> str:
    codes, scales = quantise_groups(np.ascontiguousarray(weights["embeddings.word_embeddings.weight"].T))
    words = _embedding_rows(builder, np.ascontiguousarray(codes.T), np.ascontiguousarray(scales.T), shape)
    types = builder.op(
        "Gather",
        builder.stored("token_types", weights["embeddings.token_type_embeddings.weight"]),
        "token_type_ids",
    )
    zero = builder.constant("zero", np.array(0, np.int64))
    one = builder.constant("one", np.array(1, np.int64))
    length = builder.op("Gather", builder.op("Shape", "input_ids"), one)
    positions = builder.op(
        "Gather",
        builder.stored("positions", weights["embeddings.position_embeddings.weight"]),
        builder.op("Range", zero, length, one),
    )
    summed = builder.op("Add", words, builder.op("Add", types, positions))
    scale, bias = _norm(builder, "embeddings.LayerNorm", weights)
    return builder.op("LayerNormalization", summed, scale, bias, axis=-1, epsilon=shape.epsilon)


def _embedding_rows(builder: GraphBuilder, codes: Tensor, scales: Tensor, shape: BertShape) -> str:
    """Word vectors, widened from int8 for the tokens at hand only: the table is most of the model's size."""
    grouped = np.array([0, 0, shape.hidden // GROUP, GROUP], np.int64)
    rows = builder.op(
        "Cast", builder.op("Gather", builder.stored("words", codes), "input_ids"), to=TensorProto.FLOAT
    )
    rows = builder.op("Reshape", rows, builder.constant("grouped", grouped))
    scale = builder.op("Gather", builder.stored("word_scales", scales), "input_ids")
    scale = builder.op("Cast", scale, to=TensorProto.FLOAT)
    scale = builder.op("Unsqueeze", scale, builder.constant("last", np.array([-1], np.int64)))
    flat = builder.constant("flat", np.array([0, 0, shape.hidden], np.int64))
    return builder.op("Reshape", builder.op("Mul", rows, scale), flat)


def _layer(builder: GraphBuilder, states: str, mask: str, name: str, weights: Tensors, shape: BertShape) -> str:
    attended = _attention(builder, states, mask, f"{name}.attention.self", weights, shape)
    output = f"{name}.attention.output"
    projected = _matmul(builder, attended, f"{output}.dense", weights)
    states = _residual(builder, projected, states, output, weights, shape)
    inner = f"{name}.intermediate.dense"
    bias = builder.stored(f"{inner}.bias", weights[f"{inner}.bias"])
    activated = builder.op("BiasGelu", _matmul(builder, states, inner, weights), bias, domain=CONTRIB)
    projected = _matmul(builder, activated, f"{name}.output.dense", weights)
    return _residual(builder, projected, states, f"{name}.output", weights, shape)


def _attention(
    builder: GraphBuilder, states: str, mask: str, name: str, weights: Tensors, shape: BertShape
) -> str:
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    kernel = np.concatenate([weights[f"{part}.weight"] for part in parts]).T
    bias = np.concatenate([weights[f"{part}.bias"] for part in parts])
    return builder.op(
        "Attention",
        states,
        builder.quantised(f"{name}.weight", np.ascontiguousarray(kernel)),
        builder.stored(f"{name}.bias", bias),
        mask,
        domain=CONTRIB,
        num_heads=shape.heads,
    )


def _matmul(builder: GraphBuilder, states: str, name: str, weights: Tensors) -> str:
    kernel = np.ascontiguousarray(weights[f"{name}.weight"].T)
    return builder.op("MatMul", states, builder.quantised(f"{name}.weight", kernel))


def _residual(
    builder: GraphBuilder, projected: str, states: str, name: str, weights: Tensors, shape: BertShape
) -> str:
    scale, shift = _norm(builder, f"{name}.LayerNorm", weights)
    bias = builder.stored(f"{name}.dense.bias", weights[f"{name}.dense.bias"])
    return builder.op(
        "SkipLayerNormalization", projected, states, scale, shift, bias, domain=CONTRIB, epsilon=shape.epsilon
    )


def _norm(builder: GraphBuilder, name: str, weights: Tensors) -> tuple[str, str]:
    return (
        builder.stored(f"{name}.weight", weights[f"{name}.weight"]),
        builder.stored(f"{name}.bias", weights[f"{name}.bias"]),
    )


def _dense(builder: GraphBuilder, vector: str, name: str, weights: Tensors) -> str:
    """A small layer of the head, kept at full precision."""
    kernel = builder.stored(f"{name}.weight", weights[f"{name}.weight"])
    bias = builder.stored(f"{name}.bias", weights[f"{name}.bias"])
    return builder.op("Gemm", vector, kernel, bias, transB=1)


def _mean_pooling(builder: GraphBuilder, states: str) -> None:
    """Mean over the real tokens, then length 1."""
    mask = builder.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    axis = builder.constant("token_axis", np.array([1], np.int64))
    column = builder.op("Unsqueeze", mask, builder.constant("last", np.array([-1], np.int64)))
    total = builder.op("ReduceSum", builder.op("Mul", states, column), axis, keepdims=0)
    mean = builder.op("Div", total, builder.op("ReduceSum", mask, axis, keepdims=1))
    builder.nodes.append(helper.make_node("LpNormalization", [mean], ["embeddings"], axis=-1, p=2))
