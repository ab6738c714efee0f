"""The commands of the JDK, as tests start them: machines that live for seconds are kept small."""

from equimut.oracle.java.runs import COMPILER, JVM

JAVA = ("java", *JVM)
JAVAC = ("javac", *COMPILER)
