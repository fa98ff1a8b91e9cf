package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A wrong answer.
 *
 * @param topics the topics of the problem
 * @param problem the problem, made as small as possible
 * @param right the reference's answer to it
 * @param answer the wrong answer
 */
record Finding(Verdict verdict, List<String> topics, ObjectNode problem, JsonNode right, JsonNode answer) {}
